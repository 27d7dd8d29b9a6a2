(* Reads what label_relations prints, and compares each relation with that of the program which Coq has made of proofs/labels. *)

open Labels

(* The computation in [text] from position [at] on, and the position behind it. *)
let rec computation_in text at =
  let rec forks at so_far =
    if text.[at] = ')' then (List.rev so_far, at + 1)
    else
      let branches, at = branches_in text (at + 1) [] in
      forks at (branches :: so_far)
  in
  let all, at = forks (at + 1) [] in
  (Forks all, at)

and branches_in text at so_far =
  if text.[at] = ']' then (List.rev so_far, at + 1)
  else
    let branch, at = computation_in text at in
    branches_in text at (branch :: so_far)

(* The places of a computation in the order of a serial run. *)
let rec places (c : computation) : place list =
  let after j = Here (j + 1) in
  let of_fork j branches =
    List.concat (List.mapi (fun i branch -> List.map (fun p -> Below (j, i, p)) (places branch)) branches) @ [ after j ]
  in
  Here 0 :: List.concat (List.mapi of_fork (forks_of c))

let letter = function Same -> 's' | Before -> 'b' | After -> 'a' | Left -> 'l' | Right -> 'r'

let comparisons =
  [ ("offset_span", by_offset_span); ("english_hebrew", by_english_hebrew); ("depa", by_depa); ("pedigree", by_pedigree) ]

(* With the argument `first`, the program ends at the first difference. *)
let stops_at_first = Array.mem "first" Sys.argv

let () =
  let passed = ref 0 and failed = ref 0 and text = ref "" and current = ref (Forks []) in
  let check what holds =
    if holds then incr passed
    else (
      incr failed;
      if !failed <= 10 then Printf.printf "failed: %s of %s\n" what !text;
      if stops_at_first then raise End_of_file)
  in
  (try
     while true do
       match String.split_on_char ' ' (input_line stdin) with
       | [ "computation"; t ] ->
           text := t;
           current := fst (computation_in t 0)
       | [ scheme; relations ] ->
           let all = places !current in
           let by compare =
             String.concat ""
               (List.concat_map (fun p -> List.map (fun q -> String.make 1 (letter (compare !current p q))) all) all)
           in
           check (scheme ^ " in C++") (relations = by by_places);
           check (scheme ^ " in Coq") (by (List.assoc scheme comparisons) = by by_places)
       | _ -> check "the line" false
     done
   with End_of_file -> ());
  Printf.printf "%d passed, %d failed\n" !passed !failed;
  exit (if !failed = 0 && !passed > 0 then 0 else 1)

(* Reads what spork_programs prints, and finds the same by the program which Coq has made of proofs/spork: whether the program is well-formed, the results
   of its sequential run, and those of all schedules. *)

open Spork

(* The numbers of Coq. *)

let rec positive_of (n : int64) =
  if Int64.equal n 1L then XH
  else
    let half = positive_of (Int64.shift_right_logical n 1) in
    if Int64.equal (Int64.logand n 1L) 1L then XI half else XO half

let z_of text =
  let n = Int64.of_string text in
  if Int64.equal n 0L then Z0 else if Int64.compare n 0L > 0 then Zpos (positive_of n) else Zneg (positive_of (Int64.neg n))

let rec int64_of = function
  | XH -> 1L
  | XO p -> Int64.shift_left (int64_of p) 1
  | XI p -> Int64.add (Int64.shift_left (int64_of p) 1) 1L

let text_of = function Z0 -> "0" | Zpos p -> Int64.to_string (int64_of p) | Zneg p -> Int64.to_string (Int64.neg (int64_of p))
let answer_of results = String.concat " " (List.map text_of results)

(* The reader. *)

let line = ref 0

let next_line () =
  incr line;
  input_line stdin

let words = ref []

let word () =
  match !words with
  | w :: rest ->
      words := rest;
      w
  | [] -> failwith (Printf.sprintf "line %d ends early" !line)

let fill () = words := List.filter (fun w -> w <> "") (String.split_on_char ' ' (next_line ()))
let number () = int_of_string (word ())

(* [n] things in their order *)
let rec times n thing =
  if n = 0 then []
  else
    let first = thing () in
    first :: times (n - 1) thing

let listed thing =
  let n = number () in
  times n thing

let call () =
  let callee = number () in
  { callee; arguments = listed number }

let operators =
  [ ("+", Plus); ("-", Minus); ("*", Times); ("&", And); ("|", Or); ("^", Xor); ("<<", Shift_left); (">>", Shift_right); ("<", Less); ("=", Equal) ]

let rec expression () =
  match word () with
  | "k" -> Constant (z_of (word ()))
  | "t" -> Temporary (number ())
  | "o" ->
      let operator = List.assoc (word ()) operators in
      let a = expression () in
      Operation (operator, a, expression ())
  | w -> failwith ("no expression: " ^ w)

let rec code () =
  match word () with
  | "A" ->
      let e = expression () in
      Assign (e, code ())
  | "G" ->
      let next = number () in
      Goto (next, listed number)
  | "I" ->
      let e = expression () in
      let yes = number () in
      If (e, yes, number ())
  | "C" ->
      let c = call () in
      Call (c, number ())
  | "R" -> Return (listed number)
  | "S" ->
      let body = number () in
      Spork (body, call ())
  | "J" ->
      let unpromoted = number () in
      Spoin (unpromoted, number ())
  | w -> failwith ("no code: " ^ w)

let block () =
  fill ();
  let scope = number () in
  let parameters = number () in
  let nesting = listed call in
  { scope; parameters; nesting; body = code () }

let one_function () =
  fill ();
  let inputs = number () in
  let outputs = number () in
  let n = number () in
  { inputs; outputs; blocks = times n block }

let program () =
  fill ();
  let n = number () in
  times n one_function

(* Runs. *)

exception Too_long

let start p = match first_pool p with Some r -> r | None -> failwith "there is no first pool"

(* The answer of the run that always takes the step which [choose] takes of all. *)
let run p choose =
  let rec go r steps =
    if steps = 0 then raise Too_long;
    match results_of r with
    | Some results -> answer_of results
    | None -> ( match successors p r with [] -> "stuck" | all -> go (choose all) (steps - 1))
  in
  go (start p) 5_000

(* The first successor of a pool is no promotion, if there is another: a sequential run takes it. *)
let sequential p = run p List.hd
let at_random p = run p (fun all -> List.nth all (Random.int (List.length all)))

(* The promotion comes last, behind the steps of the parent and the child. *)
let eager p = run p (fun all -> List.nth all (List.length all - 1))

module Answers = Set.Make (String)

let most_pools = ref 50_000

(* The answers of all schedules. *)
let answers p =
  let seen = Hashtbl.create 1000 and open_pools = Queue.create () and found = ref Answers.empty in
  let add r =
    let key = Digest.string (Marshal.to_string r [ Marshal.No_sharing ]) in
    if not (Hashtbl.mem seen key) then (
      if Hashtbl.length seen >= !most_pools then raise Too_long;
      Hashtbl.add seen key ();
      Queue.add r open_pools)
  in
  add (start p);
  while not (Queue.is_empty open_pools) do
    let r = Queue.pop open_pools in
    match results_of r with
    | Some results -> found := Answers.add (answer_of results) !found
    | None -> ( match successors p r with [] -> found := Answers.add "stuck" !found | all -> List.iter add all)
  done;
  !found

(* The comparison. *)

let passed = ref 0
and failed = ref 0

(* With the argument `first`, the program ends at the first difference. *)
let stops_at_first = Array.mem "first" Sys.argv

let check what name holds =
  if holds then incr passed
  else (
    incr failed;
    if !failed <= 10 then Printf.printf "failed: %s: %s\n%!" name what;
    if stops_at_first then raise End_of_file)

let counts = Hashtbl.create 10
let count what = Hashtbl.replace counts what (1 + Option.value ~default:0 (Hashtbl.find_opt counts what))

(* Splits a line behind its first word. *)
let cut text =
  match String.index_opt text ' ' with
  | None -> (text, "")
  | Some i -> (String.sub text 0 i, String.sub text (i + 1) (String.length text - i - 1))

(* Schedules of generated programs agree; those of changed programs need not. A changed program may have more answers under the runtime's rules: a spoin whose
   child has not begun takes the unpromoted way although a newer spork was promoted, which the paper's rules exclude. *)
let has_one_answer name = String.starts_with ~prefix:"seed:" name && not (String.contains name '/')

let compare_program name =
  let p = program () in
  let runs = lazy (List.filter_map (fun run -> try Some (run p) with Too_long -> None) (if has_one_answer name then [ sequential; eager; at_random ] else [ sequential ])) in
  let all_answers = lazy (answers p) in
  let rec facts () =
    match cut (next_line ()) with
    | "verdict", rules ->
        count (if rules = "ok" then "well-formed" else "ill-formed");
        let ok = program_ok p in
        check (Printf.sprintf "C++: %s; Coq: %s" rules (if ok then "ok" else "ill-formed")) name ((rules = "ok") = ok);
        facts ()
    | "sequential", answer -> (
        match Lazy.force runs with
        | [] -> facts ()
        | first :: _ ->
            count "sequential run";
            check (Printf.sprintf "the sequential run: %s in C++, %s in Coq" answer first) name (answer = first);
            facts ())
    | "run", answer ->
        if has_one_answer name then List.iter (fun run -> check (Printf.sprintf "a run: %s in C++, %s in Coq" answer run) name (answer = run)) (Lazy.force runs);
        facts ()
    | (("figure-3" | "runtime") as rules), n ->
        let cpp = Answers.of_list (times (int_of_string n) next_line) in
        let violated = Answers.exists (String.starts_with ~prefix:"violated") cpp in
        let same coq = if rules = "figure-3" || has_one_answer name then Answers.equal cpp coq else Answers.subset coq cpp in
        (match if violated then Answers.empty else Lazy.force all_answers with
        | exception Too_long -> check "C++ explores all, Coq does not" name false
        | coq ->
            count ("all schedules, " ^ rules);
            if Answers.cardinal cpp > 1 then count ("several answers, " ^ rules);
            let show set = String.concat ", " (Answers.elements set) in
            check (Printf.sprintf "answers: %s in C++ (%s), %s in Coq" (show cpp) rules (show coq)) name (same coq));
        facts ()
    | _ -> ()
  in
  facts ()

let () =
  Random.init 1;
  (try
     while true do
       match cut (next_line ()) with "program", name -> compare_program name | _ -> failwith "no program"
     done
   with End_of_file -> ());
  Hashtbl.iter (Printf.printf "%s: %d\n") counts;
  Printf.printf "%d passed, %d failed\n" !passed !failed;
  exit (if !failed = 0 && !passed > 0 then 0 else 1)

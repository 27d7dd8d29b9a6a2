(* Runs many programs in one process of Poly/ML, each with names of its own over those of basis.sml. `batch names` has the programs' files;
   for a file F, F.out gets what it prints, and F.end a line: `ok`, `exit N`, `exception NAME`, or, with the messages behind,
   `rejected`, or `crashed`: Poly/ML's compiler failed.
   F.args, if it exists, has the program's arguments, one a line. *)

structure Batch =
struct
  structure Space = PolyML.NameSpace

  (* A name space whose new names go into tables of its own. *)
  fun scope () : Space.nameSpace =
    let
      val outer = PolyML.globalNameSpace
      fun table find =
        let
          val own = ref []
          fun lookup name =
            case Host.List.find (fn (n, _) => n = name) (!own) of
              SOME (_, x) => SOME x
            | NONE => find name
          fun enter entry = own := entry :: !own
          fun all () = !own
        in
          (lookup, enter, all)
        end
      val (lookupVal, enterVal, allVal) = table (#lookupVal outer)
      val (lookupType, enterType, allType) = table (#lookupType outer)
      val (lookupFix, enterFix, allFix) = table (#lookupFix outer)
      val (lookupStruct, enterStruct, allStruct) = table (#lookupStruct outer)
      val (lookupSig, enterSig, allSig) = table (#lookupSig outer)
      val (lookupFunct, enterFunct, allFunct) = table (#lookupFunct outer)
    in
      {lookupVal = lookupVal, enterVal = enterVal, allVal = allVal, lookupType = lookupType, enterType = enterType, allType = allType,
       lookupFix = lookupFix, enterFix = enterFix, allFix = allFix, lookupStruct = lookupStruct, enterStruct = enterStruct,
       allStruct = allStruct, lookupSig = lookupSig, enterSig = enterSig, allSig = allSig, lookupFunct = lookupFunct,
       enterFunct = enterFunct, allFunct = allFunct}
    end

  exception Ended

  fun text_of name =
    let val f = Host.TextIO.openIn name
    in Host.TextIO.inputAll f before Host.TextIO.closeIn f end

  fun write (name, text) =
    let val f = Host.TextIO.openOut name
    in Host.TextIO.output (f, text); Host.TextIO.closeOut f end

  (* Compiles and runs one declaration after the other. *)
  fun run text =
    let
      val rest = ref (Host.String.explode text)
      val messages = ref ""
      fun next () = case !rest of [] => NONE | c :: others => (rest := others; SOME c)
      fun message {message, hard, location = {startLine, ...} : PolyML.location, context = _} =
        if hard then
          messages := !messages ^ Host.Int.toString startLine ^ ": " ^
                      (let val parts = ref [] in PolyML.prettyPrint (fn s => parts := s :: !parts, 200) message; Host.String.concat (rev (!parts)) end)
        else ()
      val parameters = [PolyML.Compiler.CPOutStream (fn _ => ()), PolyML.Compiler.CPNameSpace (scope ()), PolyML.Compiler.CPErrorMessageProc message,
                        PolyML.Compiler.CPPrintStream (fn _ => ())]
      exception Rejected of exn
      fun all () =
        if null (!rest) then ()
        else
          let val code = PolyML.compiler (next, parameters) handle e => raise Rejected e
          in code (); all () end
    in
      (all (); "ok")
      handle Ended => "ended"
           | Rejected e => if !messages <> "" then "rejected\n" ^ !messages else "crashed\n" ^ General.exnMessage e
           | e => "exception " ^ General.exnName e
    end

  fun program name =
    let
      val parts = ref []
      val ending = ref ""
      val () = Host.arguments := Host.String.tokens (fn c => c = #"\n") (text_of (name ^ ".args") handle IO.Io _ => "")
      fun finish how = if !ending = "" then ending := how else ()
      val () = Host.output := (fn text => if !ending = "" then parts := text :: !parts else ())
      val () = Host.exit := (fn status => (finish ("exit " ^ Int.toString status); raise Ended))
      val how = run (text_of name)
    in
      finish how;
      write (name ^ ".out", Host.String.concat (rev (!parts)));
      write (name ^ ".end", !ending ^ "\n")
    end
end

(*** cases that are missing, in case, fun, val and records ***)
datatype t = A | B | C of int
fun f A = 1 | f (C 3) = 2
fun f (true, false) = 1 | f (false, true) = 2 | f (true, true) = 3
fun f [] = 0 | f [x] = 1 | f (x :: y :: []) = 2
fun f 0 = 1 | f 1 = 2
fun g "" = 1 | g "a" = 2
fun h #"a" = 1
fun w 0w0 = 1
fun f x = case x of SOME (SOME y) => y | NONE => 0
fun f l = let val x :: _ = l in x end
val SOME y = SOME 3
fun f {a = true, b = _} = 1 | f {a = _, b = SOME false} = 2
(*! 2:5: warning: the clauses of 'f' do not match every value, e.g. not B; add a clause for it, or the rest raises Match *)
(*! 3:5: warning: the clauses of 'f' do not match every value, e.g. not (false, false); add a clause for it, or the rest raises Match *)
(*! 4:5: warning: the clauses of 'f' do not match every value, e.g. not _ :: _ :: _ :: _; add a clause for it, or the rest raises Match *)
(*! 5:5: warning: the clauses of 'f' do not match every value, e.g. not 2; add a clause for it, or the rest raises Match *)
(*! 6:5: warning: the clauses of 'g' do not match every value, e.g. not "aa"; add a clause for it, or the rest raises Match *)
(*! 7:5: warning: the clauses of 'h' do not match every value, e.g. not #"b"; add a clause for it, or the rest raises Match *)
(*! 8:5: warning: the clauses of 'w' do not match every value, e.g. not 0w1; add a clause for it, or the rest raises Match *)
(*! 9:11: warning: the rules do not match every value, e.g. not SOME NONE; add a rule for it, or the rest raises Match *)
(*! 10:19: warning: the pattern does not match every value, e.g. not nil; the rest raises Bind *)
(*! 11:5: warning: the pattern does not match every value, e.g. not NONE; the rest raises Bind *)
(*! 12:5: warning: the clauses of 'f' do not match every value, e.g. not {a = false, b = NONE}; add a clause for it, or the rest raises Match *)

(*** cases that are missing in others, and rules that are redundant ***)
fun zip (x :: xs) (y :: ys) = (x, y) :: zip xs ys | zip [] [] = []
fun f e = case e of Fail s => s | Div => "div"
val f = fn 0 => 1
fun f 0 = 1 | f n = 2 | f 1 = 3
datatype t = A | B
fun f x = case x of A => 1 | B => 2 | _ => 3
fun f (true, _) = 1 | f (_, true) = 2 | f (false, false) = 3 | f _ = 4
val a = 1 handle Fail _ => 2 | _ => 3 | Div => 4
fun f "a" = 1 | f "b" = 2 | f "a" = 3 | f _ = 4
fun f (SOME 1) = 1 | f (SOME _) = 2 | f NONE = 3 | f (SOME 2) = 4
(*! 1:5: warning: the clauses of 'zip' do not match every value, e.g. not (_ :: _, nil); add a clause for it, or the rest raises Match *)
(*! 2:11: warning: the rules do not match every value, as exceptions; add a rule for it, or the rest raises Match *)
(*! 3:9: warning: the rules do not match every value, e.g. not 1; add a rule for it, or the rest raises Match *)
(*! 4:27: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)
(*! 6:39: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)
(*! 7:66: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)
(*! 8:41: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)
(*! 9:31: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)
(*! 10:55: warning: this rule is never used, because the rules before it match all of its values; remove it or move it up *)

(*** exhaustive by an opaque datatype ***)
structure S :> sig datatype t = A | B end = struct datatype t = A | B end
fun f S.A = 1
fun g S.A = 1 | g S.B = 2
(*! 2:5: warning: the clauses of 'f' do not match every value, e.g. not B; add a clause for it, or the rest raises Match *)

(*** real in a pattern ***)
fun f 1.0 = 2
(*! 1:7: error: the real number '1.0' stands in a pattern; compare with Real.== instead *)

(*** two arguments of a constructor ***)
val SOME x y = z
(*! 1:12: error: 'y' is unexpected; a constructor has one argument, so put several values in parentheses with commas *)

(*** argument of what is no name ***)
val 3 x = y val (SOME) x = y val [a] b = c
(*! 1:5: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 1:17: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 1:34: error: this pattern cannot have an argument; only a constructor's name can *)

(*** pattern before as ***)
val a :: b as c = d val (x) as y = z val A.b as c = d val SOME x : t as y = z
(*! 1:5: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 1:12: note: this is the 'as' *)
(*! 1:26: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 1:29: note: this is the 'as' *)
(*! 1:42: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 1:46: note: this is the 'as' *)
(*! 1:59: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 1:70: note: this is the 'as' *)

(*** dots not at the end ***)
val {a, ..., b} = c
(*! 1:12: error: ',' is unexpected; expected '}' after '...' *)
(*! 1:5: note: '{' is not closed *)

(*** number without a pattern ***)
val {1, 2} = x
(*! 1:7: error: ',' is unexpected; expected '=' and a pattern after a label that is a number *)

(*** labels twice ***)
val {a, b, a} = x
(*! 1:12: error: the label 'a' occurs twice; rename one of them *)
(*! 1:6: note: it is here first *)

(*** infix operator in a pattern ***)
val + = 3 val (a +) = b
(*! 1:5: error: '+' is an infix operator, and a pattern is missing before it; write it between two patterns, or 'op +' for the name itself *)
(*! 1:19: error: ')' is unexpected; expected a pattern *)

(*** equals in a pattern ***)
val op = = 3 val = = 4
(*! 1:8: error: '=' is unexpected; expected a name other than '=', which cannot be defined again *)
(*! 1:18: error: '=' is unexpected; expected a pattern *)

(*** missing pattern ***)
val = 3 val (a, ) = 4 fun f (x, = 3
(*! 1:5: error: '=' is unexpected; expected a pattern *)
(*! 1:17: error: ')' is unexpected; expected a pattern *)
(*! 1:33: error: '=' is unexpected; expected a pattern *)

(*** mixed associativity in a pattern ***)
infix 5 ++ val a ++ b :: c = d
(*! 1:23: error: '::' and '++' have the same precedence, but group to different sides; add parentheses *)

(*** brackets that do not match ***)
fun f (x] = 1 val [a, b) = c val ok = 1
(*! 1:9: error: ']' is unexpected; expected ',' or ')' after a pattern *)
(*! 1:7: note: '(' is not closed *)
(*! 1:24: error: ')' is unexpected; expected ',' or ']' after a pattern *)
(*! 1:19: note: '[' is not closed *)

(*** expression in a pattern ***)
val if = 3 val (fn x) = 4
(*! 1:5: error: 'if' is unexpected; expected a pattern *)
(*! 1:17: error: 'fn' is unexpected; expected a pattern *)

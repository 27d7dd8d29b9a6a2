(*** pattern type ***)
fun f x = case x of 0 => 1 | "a" => 2 | _ => 3
(*! 1:30: error: this pattern has type string, but the matched value has int *)

(*** open record ***)
fun f r = #name r
(*! 1:11: error: the record's other fields are not known: its type is {name: 'a, ...} at the end of the declaration; write its type, as in (x : {...}) *)

(*** open record pattern ***)
fun f {x, ...} = x
(*! 1:7: error: the record's other fields are not known: its type is {x: 'a, ...} at the end of the declaration; write its type, as in (x : {...}) *)

(*** missing field ***)
val a = #z {x = 1, y = 2}
(*! 1:12: error: this has type {x: int, y: int}, but '#z' takes a record with the field 'z' *)

(*** missing field in pattern ***)
val {x, z, ...} = {x = 1, y = 2}
(*! 1:19: error: this value has type {x: int, y: int}, but the pattern has {x: int, z: 'a, ...}; there is no field 'z' *)

(*** record labels differ ***)
val a : {x : int, y : int} = {x = 1, z = 2}
(*! 1:30: error: this has type {x: int, z: int}, but its annotation says {x: int, y: int} *)

(*** label twice ***)
val a = {x = 1, x = 2}
(*! 1:17: error: the label 'x' occurs twice; rename one of them *)
(*! 1:10: note: it is here first *)

(*** variable twice ***)
fun f (x, x) = x
(*! 1:11: error: the variable 'x' is bound twice in one pattern or declaration; rename one *)

(*** variable applied in pattern ***)
fun f (g x) = 1
(*! 1:8: error: there is no constructor 'g' *)

(*** real pattern ***)
fun f 1.0 = 1 | f _ = 2
(*! 1:7: error: the real number '1.0' stands in a pattern; compare with Real.== instead *)

(*** int too large ***)
val a = 9223372036854775808
(*! 1:9: error: the integer does not fit into 64 bits; int has the values from ~9223372036854775808 to 9223372036854775807 *)

(*** word8 too large ***)
val a = 0wx100 : Word8.word
(*! 1:9: error: the word 256 does not fit into 8 bits; Word8.word has the values from 0w0 to 0w255 *)

(*** handler pattern ***)
val a = 1 handle "x" => 2
(*! 1:18: error: this pattern has type string, but the matched value has exn *)

(*** layered type ***)
fun f (x : string as 3) = x
(*! 1:22: error: parameter 1 of this clause has type int, but the function's other uses and clauses have string *)

(*** patterns, records and constants ***)
fun f x = case x of 0 => 1 | "a" => 2 | _ => 3
fun f r = #name r
fun f {x, ...} = x
val a = #z {x = 1, y = 2}
val {x, z, ...} = {x = 1, y = 2}
val a : {x : int, y : int} = {x = 1, z = 2}
fun f (x, x) = x
fun f (g x) = 1
val a = 9223372036854775808
val a = 0wx100 : Word8.word
val a = 1 handle "x" => 2
fun f (x : string as 3) = x
val a = #z 3
(*! 1:30: error: this pattern has type string, but the matched value has int *)
(*! 2:11: error: the record's other fields are not known: its type is {name: 'a, ...} at the end of the declaration; write its type, as in (x : {...}) *)
(*! 3:7: error: the record's other fields are not known: its type is {x: 'a, ...} at the end of the declaration; write its type, as in (x : {...}) *)
(*! 4:12: error: this has type {x: int, y: int}, but '#z' takes a record with the field 'z' *)
(*! 5:19: error: this value has type {x: int, y: int}, but the pattern has {x: int, z: 'a, ...}; there is no field 'z' *)
(*! 6:30: error: this has type {x: int, z: int}, but its annotation says {x: int, y: int} *)
(*! 7:11: error: the variable 'x' is bound twice in one pattern or declaration; rename one *)
(*! 8:8: error: there is no constructor 'g' *)
(*! 9:9: error: the integer does not fit into 64 bits; int has the values from ~9223372036854775808 to 9223372036854775807 *)
(*! 10:9: error: the word 256 does not fit into 8 bits; Word8.word has the values from 0w0 to 0w255 *)
(*! 11:18: error: this pattern has type string, but the matched value has exn *)
(*! 12:22: error: parameter 1 of this clause has type int, but the function's other uses and clauses have string *)
(*! 13:12: error: this has type int, but '#z' takes a record with the field 'z' *)

(*** label twice, and a real ***)
val a = {x = 1, x = 2}
fun f 1.0 = 1 | f _ = 2
(*! 1:17: error: the label 'x' occurs twice; rename one of them *)
(*! 1:10: note: it is here first *)
(*! 2:7: error: the real number '1.0' stands in a pattern; compare with Real.== instead *)

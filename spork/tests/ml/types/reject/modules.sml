(*** structures and their signatures ***)
val a = Lst.map
structure S : sig val x : int end = struct end
structure S : sig val x : int end = struct val x = "a" end
structure S : sig val f : 'a -> 'a end = struct fun f x = x + 1 end
structure S : sig type t end = struct end
structure S : sig type t = int end = struct type t = string end
structure S : sig type 'a t end = struct type t = int end
structure S : sig eqtype t end = struct type t = int -> int end
structure S : sig datatype t = A | B end = struct datatype t = A end
structure S : sig datatype t = A of int end = struct datatype t = A of string end
structure S : sig exception E of int end = struct exception E end
structure S : FOO = struct end
(*! 1:9: error: there is no structure 'Lst'; did you mean 'List'? *)
(*! 2:37: error: the structure does not match its signature: there is no value 'x' of type int *)
(*! 2:23: note: it is specified here *)
(*! 3:37: error: the structure does not match its signature: the value 'x' has type string, but is specified as int *)
(*! 3:23: note: it is specified here *)
(*! 4:42: error: the structure does not match its signature: the value 'f' has type int -> int, but is specified as 'a -> 'a *)
(*! 4:23: note: it is specified here *)
(*! 5:32: error: the structure does not match its signature: there is no type 't' *)
(*! 5:24: note: it is specified here *)
(*! 6:38: error: the structure does not match its signature: the type 't' is string, but is specified as int *)
(*! 6:24: note: it is specified here *)
(*! 7:35: error: the structure does not match its signature: the type 't' has 0 parameters, but must have 1 *)
(*! 7:27: note: it is specified here *)
(*! 8:34: error: the structure does not match its signature: the type 't' has no equality, which the signature requires *)
(*! 8:26: note: it is specified here *)
(*! 9:44: error: the structure does not match its signature: the datatype 't' lacks the constructors B *)
(*! 9:28: note: it is specified here *)
(*! 10:47: error: the structure does not match its signature: the constructor 'A' has type string -> t, but is specified as int -> t *)
(*! 10:32: note: it is specified here *)
(*! 11:44: error: the structure does not match its signature: the exception 'E' has type exn, but is specified as int -> exn *)
(*! 11:29: note: it is specified here *)
(*! 12:15: error: there is no signature 'FOO' *)

(*** opaque signatures and where type ***)
structure S :> sig type t val make : int -> t end = struct type t = int fun make n = n end
val a = S.make 3 + 1
signature T = sig type t val x : t val f : t -> int end
structure A :> T = struct type t = int val x = 1 fun f n = n end
structure B :> T = struct type t = int val x = 1 fun f n = n end
val a = A.f B.x
structure S : sig val x : int end = struct val x = 1 val y = 2 end
val a = S.y
structure S : sig type t val A : t end = struct datatype t = A end
fun f S.A = 1
signature S = sig type t end where type u = int
signature S = sig type t = int end where type t = int
(*! 2:9: error: the left operand of '+' has type t, but must have int, word, Word8.word or real *)
(*! 6:13: error: the argument of 'f' has type t, but it takes t; these are two types with the name t *)
(*! 8:9: error: the structure 'S' has no value 'y' *)
(*! 10:7: error: 'A' is no constructor; a variable in a pattern has no structure before it *)
(*! 11:41: error: the signature specifies no type 'u' *)
(*! 12:47: error: the type 't' is not open in the signature, so 'where type' cannot define it *)

(*** sharing, and names that are hidden ***)
signature S = sig type t = int type u sharing type t = u end
signature S = sig val x : int val x : string end
local val hidden = 1 in val x = hidden end
val y = hidden
fun f () = let val x = S.y in x end
(*! 1:52: error: the type 't' is not open in the signature, so it cannot be shared; write 'type t = ...' *)
(*! 2:35: error: the signature specifies the value 'x' twice; remove one *)
(*! 4:9: error: there is no value 'hidden' *)
(*! 5:24: error: there is no structure 'S' *)

(*** all faults of a structure ***)
signature S = sig type t type u = int val x : int val y : t -> string exception E structure I : sig val z : int end end
structure A : S = struct val x = "a" structure I = struct val z = #"z" end end
structure B :> S = struct type t = int type u = string val x = 1 fun y 0 = "b" | y _ = "c" exception E structure I = struct val z = 2 end end
(*! 2:19: error: the structure does not match its signature in 6 places *)
(*! 1:24: note: there is no type 't' *)
(*! 1:31: note: there is no type 'u' *)
(*! 1:43: note: the value 'x' has type string, but is specified as int *)
(*! 1:55: note: there is no value 'y' of type _ -> string *)
(*! 1:81: note: there is no exception 'E' of type exn *)
(*! 1:105: note: the value 'I.z' has type char, but is specified as int *)
(*! 3:20: error: the structure does not match its signature: the type 'u' is string, but is specified as int *)
(*! 1:31: note: it is specified here *)

(*** unbound structure ***)
val a = Lst.map
(*! 1:9: error: there is no structure 'Lst'; did you mean 'List'? *)

(*** signature value missing ***)
structure S : sig val x : int end = struct end
(*! 1:37: error: the structure does not match its signature: there is no value 'x' of type int *)
(*! 1:23: note: it is specified here *)

(*** signature value type ***)
structure S : sig val x : int end = struct val x = "a" end
(*! 1:37: error: the structure does not match its signature: the value 'x' has type string, but is specified as int *)
(*! 1:23: note: it is specified here *)

(*** signature less general ***)
structure S : sig val f : 'a -> 'a end = struct fun f x = x + 1 end
(*! 1:42: error: the structure does not match its signature: the value 'f' has type int -> int, but is specified as 'a -> 'a *)
(*! 1:23: note: it is specified here *)

(*** signature type missing ***)
structure S : sig type t end = struct end
(*! 1:32: error: the structure does not match its signature: there is no type 't' *)
(*! 1:24: note: it is specified here *)

(*** signature type differs ***)
structure S : sig type t = int end = struct type t = string end
(*! 1:38: error: the structure does not match its signature: the type 't' is string, but is specified as int *)
(*! 1:24: note: it is specified here *)

(*** signature type arity ***)
structure S : sig type 'a t end = struct type t = int end
(*! 1:35: error: the structure does not match its signature: the type 't' has 0 parameters, but must have 1 *)
(*! 1:27: note: it is specified here *)

(*** signature eqtype ***)
structure S : sig eqtype t end = struct type t = int -> int end
(*! 1:34: error: the structure does not match its signature: the type 't' has no equality, which the signature requires *)
(*! 1:26: note: it is specified here *)

(*** signature datatype ***)
structure S : sig datatype t = A | B end = struct datatype t = A end
(*! 1:44: error: the structure does not match its signature: the datatype 't' lacks the constructors B *)
(*! 1:28: note: it is specified here *)

(*** signature datatype argument ***)
structure S : sig datatype t = A of int end = struct datatype t = A of string end
(*! 1:47: error: the structure does not match its signature: the constructor 'A' has type string -> t, but is specified as int -> t *)
(*! 1:32: note: it is specified here *)

(*** signature exception ***)
structure S : sig exception E of int end = struct exception E end
(*! 1:44: error: the structure does not match its signature: the exception 'E' has type exn, but is specified as int -> exn *)
(*! 1:29: note: it is specified here *)

(*** signature unknown ***)
structure S : FOO = struct end
(*! 1:15: error: there is no signature 'FOO' *)

(*** opaque type is abstract ***)
structure S :> sig type t val make : int -> t end = struct type t = int fun make n = n end
val a = S.make 3 + 1
(*! 2:9: error: the left operand of '+' has type t, but must have int, word, Word8.word or real *)

(*** opaque types differ ***)
signature T = sig type t val x : t val f : t -> int end
structure A :> T = struct type t = int val x = 1 fun f n = n end
structure B :> T = struct type t = int val x = 1 fun f n = n end
val a = A.f B.x
(*! 4:13: error: the argument of 'f' has type t, but it takes t; these are two types with the name t *)

(*** hidden value ***)
structure S : sig val x : int end = struct val x = 1 val y = 2 end
val a = S.y
(*! 2:9: error: the structure 'S' has no value 'y' *)

(*** constructor hidden by value specification ***)
structure S : sig type t val A : t end = struct datatype t = A end
fun f S.A = 1
(*! 2:7: error: 'A' is no constructor; a variable in a pattern has no structure before it *)

(*** where type of unknown ***)
signature S = sig type t end where type u = int
(*! 1:41: error: the signature specifies no type 'u' *)

(*** where type of defined ***)
signature S = sig type t = int end where type t = int
(*! 1:47: error: the type 't' is not open in the signature, so 'where type' cannot define it *)

(*** sharing of defined ***)
signature S = sig type t = int type u sharing type t = u end
(*! 1:52: error: the type 't' is not open in the signature, so it cannot be shared; write 'type t = ...' *)

(*** value specified twice ***)
signature S = sig val x : int val x : string end
(*! 1:35: error: the signature specifies the value 'x' twice; remove one *)

(*** local is hidden ***)
local val hidden = 1 in val x = hidden end
val y = hidden
(*! 2:9: error: there is no value 'hidden' *)

(*** structure in let is unknown ***)
fun f () = let val x = S.y in x end
(*! 1:24: error: there is no structure 'S' *)

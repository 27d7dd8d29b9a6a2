(*** modules ***)
(* signature where type *)
signature S = sig type t val x : t end
structure A :> S where type t = int = struct type t = int val x = 3 end
val a = A.x + 1
signature P = S where type t = int * string
structure B : P = struct type t = int * string val x = (1, "a") end
(* signature sharing *)
signature S = sig structure A : sig type t val x : t end structure B : sig type u val f : u -> int end sharing type A.t = B.u end
structure T :> S = struct structure A = struct type t = string val x = "abc" end structure B = struct type u = string val f = size end end
val a = T.B.f T.A.x
(* signature nested *)
signature S = sig structure In : sig type t val x : t end val f : In.t -> int end
structure T :> S = struct structure In = struct type t = int val x = 1 end fun f n = n end
val a = T.f T.In.x
(* constructor matches value specification *)
structure S : sig type t val make : int -> t end = struct datatype t = Make of int val make = Make end
val a = S.make 3
(* replication of abbreviation *)
type t = int
datatype u = datatype t

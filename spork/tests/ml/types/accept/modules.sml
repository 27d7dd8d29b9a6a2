(*** structures and open ***)
structure A = struct val x = 1 structure B = struct fun f n = n + x type t = int end end
val a : A.B.t = A.B.f 2
open A
val b = x + B.f 3
local open B in val c = f 4 end
structure C = A.B
val d = C.f 1

(*** signatures transparent ***)
signature S = sig type t val make : int -> t val show : t -> string end
structure A : S = struct type t = int fun make n = n fun show n = Int.toString n end
val a = A.show (A.make 3 + 1)

(*** signatures opaque ***)
signature STACK = sig
  type 'a stack
  exception Empty
  val empty : 'a stack
  val push : 'a * 'a stack -> 'a stack
  val pop : 'a stack -> 'a * 'a stack
end
structure Stack :> STACK = struct
  type 'a stack = 'a list
  exception Empty
  val empty = []
  fun push (x, s) = x :: s
  fun pop (x :: s) = (x, s) | pop [] = raise Empty
end
val (a, _) = Stack.pop (Stack.push (1, Stack.empty))
val b = #1 (Stack.pop (Stack.empty)) handle Stack.Empty => "none"

(*** signature hides and specialises ***)
structure A : sig val id : int -> int val none : string option end = struct fun id x = x val none = NONE val hidden = 3 end
val a = A.id 3

(*** signature with datatype ***)
signature S = sig datatype 'a t = A | B of 'a * 'a t val size : 'a t -> int end
structure T :> S = struct datatype 'a t = A | B of 'a * 'a t fun size A = 0 | size (B (_, r)) = 1 + size r end
val a = T.size (T.B (1, T.A))
fun f T.A = 0 | f (T.B (n, _)) = n + 1

(*** signature where type ***)
signature S = sig type t val x : t end
structure A :> S where type t = int = struct type t = int val x = 3 end
val a = A.x + 1
signature P = S where type t = int * string
structure B : P = struct type t = int * string val x = (1, "a") end

(*** signature sharing ***)
signature S = sig structure A : sig type t val x : t end structure B : sig type u val f : u -> int end sharing type A.t = B.u end
structure T :> S = struct structure A = struct type t = string val x = "abc" end structure B = struct type u = string val f = size end end
val a = T.B.f T.A.x

(*** signature include ***)
signature A = sig type t val x : t end
signature B = sig include A val y : t end
structure C : B = struct type t = int val x = 1 val y = 2 end
val a = C.x + C.y

(*** signature nested ***)
signature S = sig structure In : sig type t val x : t end val f : In.t -> int end
structure T :> S = struct structure In = struct type t = int val x = 1 end fun f n = n end
val a = T.f T.In.x

(*** constructor matches value specification ***)
structure S : sig type t val make : int -> t end = struct datatype t = Make of int val make = Make end
val a = S.make 3

(*** replication of abbreviation ***)
type t = int
datatype u = datatype t

(*** structures ***)
structure A = struct end structure B = A and C = A.B.C structure D : S = A structure E :> S = struct val x = 1 structure F = struct end end
(*> structure A = struct *)
(*> end *)
(*> structure B = A and C = A.B.C *)
(*> structure D : S = A *)
(*> structure E :> S = struct *)
(*>   val x = 1 *)
(*>   structure F = struct *)
(*>   end *)
(*> end *)

(*** structures, signatures and where type ***)
structure A = let val x = 1 structure B = C in B : S :> T end structure D = struct end : sig end
signature S = sig val x : int and y : 'a -> 'a type t type 'a u and ('a, 'b) v type w = int eqtype e and f
  datatype d = A | B of int and 'a g = G datatype c = datatype A.d exception E and F of int structure T : S and U : sig end;
  include S include A B sharing type t = u = A.v end and T = S
signature S = T where type t = int where type 'a A.u = 'a list and type v = bool and U = V
structure A : S where type t = int = B and C = D
local structure A = struct end in structure B = A end
signature S = sig val + : int * int -> int val :: : 'a type ++ end

(* c = a + b for integers of many limbs, digits in base 2^64; the first one is the least significant. *)

val n = Options.number ("--n", 40000000)
val block = 4096
val blocks = (n + block - 1) div block
val a = Array.array (n, 0w0 : word)
val b = Array.array (n, 0w0 : word)
val c = Array.array (n, 0w0 : word)
val carry = ref (0w2 : word)

(* Random limbs, with runs in between through which a carry passes. *)
val random = Random.from 0w1
fun make i =
  if i = n then ()
  else
    let
      val propagates = Random.below (random, 0w50) = 0w0
      val last = Int.min (n, i + 1 + Random.index (random, 30000))
      fun fill i =
        if i = last then make i
        else
          let
            val x = Random.next random
            val y = if propagates then Word.notb x else Random.next random
          in
            Array.update (a, i, x); Array.update (b, i, y); fill (i + 1)
          end
    in
      fill i
    end
val () = make 0

datatype carry_out = None | One | AsCameIn
val carries = Array.array (blocks, None)

(* Adds the limbs [i, last) as if no carry came into them; returns the carry out of them. *)
fun add_limbs (i, last, carry : word) =
  if i = last then carry
  else
    let
      val x = Array.sub (a, i)
      val sum = x + Array.sub (b, i)
      val all = sum + carry
    in
      Array.update (c, i, all);
      add_limbs (i + 1, last, if sum < x orelse all < sum then 0w1 else 0w0)
    end

fun are_ones (i, last) = i = last orelse (Array.sub (c, i) = 0wxffffffffffffffff andalso are_ones (i + 1, last))
fun increment (i, last) =
  if i = last then ()
  else
    let val x = Array.sub (c, i) + 0w1
    in Array.update (c, i, x); if x = 0w0 then increment (i + 1, last) else () end

fun last_of k = Int.min (n, (k + 1) * block)
fun add_block k =
  let
    val first = k * block
    val last = last_of k
  in
    Array.update (carries, k,
                  if add_limbs (first, last, 0w0) = 0w1 then One else if are_ones (first, last) then AsCameIn else None)
  end

(* Replaces the carry out of each block by the carry into it; returns the carry out of the last one. *)
fun carry_through (k, into) =
  if k = blocks then into
  else
    let val out = case Array.sub (carries, k) of One => true | None => false | AsCameIn => into
    in Array.update (carries, k, if into then One else None); carry_through (k + 1, out) end

fun run () =
  let
    val () = Loops.parfor (4, 0, blocks, add_block)
    val () = carry := (if carry_through (0, false) then 0w1 else 0w0)
  in
    Loops.parfor (4, 0, blocks, fn k =>
      case Array.sub (carries, k) of One => increment (k * block, last_of k) | _ => ())
  end

(* c - b must be a, and the borrow the carry. *)
fun is_right (i, borrow : word) =
  if i = n then borrow = !carry
  else
    let
      val x = Array.sub (c, i)
      val y = Array.sub (b, i)
      val difference = x - y
      val all = difference - borrow
    in
      all = Array.sub (a, i) andalso is_right (i + 1, if x < y orelse difference < borrow then 0w1 else 0w0)
    end

val () = Bench.program
  {name = "bignum-add", params = [("n", n)], passes = 4,
   reset = fn () => (Array.modify (fn _ => 0w0) c; carry := 0w2),
   run = run,
   examine = fn () =>
     (Bench.json_word (Array.foldl (op +) (!carry) c), if is_right (0, 0w0) then "" else "c - b is not a")}

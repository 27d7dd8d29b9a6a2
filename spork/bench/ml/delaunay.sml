(* The Delaunay triangulation of points in the plane by divide and conquer (Guibas and Stolfi, ACM Transactions on Graphics 4(2), 1985):
   triangulates the halves left and right of a vertical line in parallel, and then makes the edges over that line from the lowest to the highest. *)

val n = Options.number ("--n", 400000)
val tuned_grain = 512

(* A point is a word: its abscissa above its ordinate, both below 2^24. Distinct points in a random order. *)
fun point (x, y) = Word.orb (Word.<< (x, 0w24), y)
fun abscissa p = real (Word.toInt (Word.>> (p, 0w24)))
fun ordinate p = real (Word.toInt (Word.andb (p, 0wxffffff)))

val input =
  let
    val random = Random.from 0w1
    fun coordinate () = Random.below (random, 0w16777216)
    fun more kept =
      let
        val all = Array.tabulate (n, fn i =>
          if i < Array.length kept then Array.sub (kept, i)
          else
            let
              val x = coordinate ()
              val y = coordinate ()
            in
              point (x, y)
            end)
        val () = MergeSort.sort (8192, all, 0, n, Array.array (n, 0w0))
        val distinct = Growing.new 0w0
        val _ =
          Array.foldl (fn (p, last) => (if p = last then () else Growing.add (distinct, p); p)) 0wxffffffffffffffff all
      in
        if Growing.size distinct = n then all else more (Growing.all distinct)
      end
    val all = more (Array.fromList [])
    fun shuffle i =
      if i <= 1 then ()
      else
        let
          val j = Random.index (random, i)
          val p = Array.sub (all, i - 1)
        in
          Array.update (all, i - 1, Array.sub (all, j)); Array.update (all, j, p); shuffle (i - 1)
        end
  in
    shuffle n; all
  end

val keys = Array.array (n, 0w0 : word)
val buffer = Array.array (n, 0w0 : word)
val xs = Array.array (n, 0.0)
val ys = Array.array (n, 0.0)

(* Twice the area of the triangle, which is positive if the points are in counter-clockwise order. Exact. *)
fun turn (a, b, c) =
  (Array.sub (xs, b) - Array.sub (xs, a)) * (Array.sub (ys, c) - Array.sub (ys, a)) -
  (Array.sub (ys, b) - Array.sub (ys, a)) * (Array.sub (xs, c) - Array.sub (xs, a))

fun squared (a, b) =
  let
    val x = Array.sub (xs, a) - Array.sub (xs, b)
    val y = Array.sub (ys, a) - Array.sub (ys, b)
  in
    x * x + y * y
  end

(* The sign of the exact sum of three products of whole numbers below 2^51, in parts of 26 bits. *)
fun sign_of_sum products =
  let
    val base = 67108864
    fun add ((d, a), (high, middle, low)) =
      let
        val d = trunc d
        val a = trunc a
        val (d1, d0) = (d div base, d mod base)
        val (a1, a0) = (a div base, a mod base)
      in
        (high + d1 * a1, middle + d1 * a0 + d0 * a1, low + d0 * a0)
      end
    val (high, middle, low) = foldl add (0, 0, 0) products
    val middle = middle + low div base
    val high = high + middle div base
  in
    if high < 0 then ~1 else if high > 0 orelse middle mod base > 0 orelse low mod base > 0 then 1 else 0
  end

(* True if d is inside the circle through a, b and c. The sum of reals decides, unless it is so near to zero that rounding could matter. *)
fun in_circle (a, b, c, d) =
  let
    val (d0, d1, d2) = (squared (a, d), squared (b, d), squared (c, d))
    val (a0, a1, a2) = (turn (d, b, c), turn (d, c, a), turn (d, a, b))
    val sum = d0 * a0 + d1 * a1 + d2 * a2
    val absolute = d0 * Real.abs a0 + d1 * Real.abs a1 + d2 * Real.abs a2
  in
    if Real.abs sum > 8.8817841970012523E~16 * absolute then sum > 0.0
    else sign_of_sum [(d0, a0), (d1, a1), (d2, a2)] > 0
  end

(* The mesh. An edge is half an edge, as seen from the point where it begins; the other half is `twin e`. *)
val edges_per_point = 3
val halves = n * edges_per_point * 2
val next_of = Array.array (halves, ~1)
val previous_of = Array.array (halves, ~1)
val origin_of = Array.array (halves, ~1)

fun twin e = if e mod 2 = 0 then e + 1 else e - 1
fun exists e = Array.sub (origin_of, e) >= 0
fun origin e = Array.sub (origin_of, e)
fun target e = origin (twin e)
(* The next edge with the same origin, counter-clockwise and clockwise; around the face on the left; and the one before on the right. *)
fun next e = Array.sub (next_of, e)
fun previous e = Array.sub (previous_of, e)
fun next_on_left e = previous (twin e)
fun previous_on_right e = next (twin e)
fun is_left_of (p, e) = turn (p, origin e, target e) > 0.0
fun is_right_of (p, e) = turn (p, target e, origin e) > 0.0

(* Unused edges form a list for each part: its first and its last edge. *)
fun spares_of (begin, last) =
  let
    val first_edge = begin * edges_per_point * 2
    val last_edge = (last * edges_per_point - 1) * 2
    fun link e = if e = last_edge then () else (Array.update (next_of, e, e + 2); link (e + 2))
  in
    link first_edge; (first_edge, last_edge)
  end
fun joined ((a, a_last), (b, b_last)) = (Array.update (next_of, a_last, b); (a, b_last))

(* The list that a part takes its edges from. *)
type unused = int ref

fun set (e, point) =
  (Array.update (next_of, e, e); Array.update (previous_of, e, e); Array.update (origin_of, e, point))
fun make (unused : unused, a, b) =
  let val e = !unused
  in unused := next e; set (e, a); set (e + 1, b); e end
fun splice (a, b) =
  let
    val a' = next a
    val b' = next b
  in
    Array.update (next_of, a, b');
    Array.update (next_of, b, a');
    Array.update (previous_of, b', a);
    Array.update (previous_of, a', b)
  end
(* A new edge from the target of a to the origin of b, so that all three have the same face on their left. *)
fun connect (unused, a, b) =
  let val e = make (unused, target a, origin b)
  in splice (e, next_on_left a); splice (twin e, b); e end
fun remove (unused : unused, e) =
  let val e = (splice (e, previous e); splice (twin e, previous (twin e)); e - e mod 2)
  in
    Array.update (next_of, e, !unused);
    Array.update (origin_of, e, ~1);
    Array.update (origin_of, e + 1, ~1);
    unused := e
  end

(* A part: the edge of its hull, counter-clockwise, from the leftmost point, the one, clockwise, from the rightmost point, and its unused edges. *)
fun triangulate_two begin =
  let
    val (first, last) = spares_of (begin, begin + 2)
    val unused = ref first
    val e = make (unused, begin, begin + 1)
  in
    (e, twin e, (!unused, last))
  end

fun triangulate_three begin =
  let
    val (first, last) = spares_of (begin, begin + 3)
    val unused = ref first
    val a = make (unused, begin, begin + 1)
    val b = make (unused, begin + 1, begin + 2)
    val () = splice (twin a, b)
    val area = turn (begin, begin + 1, begin + 2)
  in
    if Real.== (area, 0.0) then (a, twin b, (!unused, last))
    else
      let val c = connect (unused, b, a)
      in if area > 0.0 then (a, twin b, (!unused, last)) else (twin c, c, (!unused, last)) end
  end

(* The lower common tangent of two parts. *)
fun lowest (l, r) =
  if is_left_of (origin r, l) then lowest (next_on_left l, r)
  else if is_right_of (origin l, r) then lowest (l, previous_on_right r)
  else (l, r)

fun sew ((leftmost, inner_left, left_unused), (inner_right, rightmost, right_unused)) =
  let
    val (first, last) = joined (left_unused, right_unused)
    val unused = ref first
    val (l, r) = lowest (inner_left, inner_right)
    val base = connect (unused, twin r, l)
    val leftmost = if origin l = origin leftmost then twin base else leftmost
    val rightmost = if origin r = origin rightmost then base else rightmost

    fun is_above (e, base) = is_right_of (target e, base)
    (* The edge from an end of the base to the point that the next triangle may have, after removing the edges in its way. *)
    fun candidate (e, after, base) =
      if not (is_above (e, base)) then e
      else
        let
          fun clear e =
            let val other = after e
            in
              if in_circle (target base, origin base, target e, target other) then (remove (unused, e); clear other)
              else e
            end
        in
          clear e
        end
    fun rise base =
      let
        val l = candidate (next (twin base), next, base)
        val r = candidate (previous base, previous, base)
        val l_is_above = is_above (l, base)
        val r_is_above = is_above (r, base)
      in
        if not l_is_above andalso not r_is_above then ()
        else if not l_is_above orelse (r_is_above andalso in_circle (target l, origin l, origin r, target r)) then
          rise (connect (unused, r, twin base))
        else rise (connect (unused, twin base, twin l))
      end
  in
    rise base; (leftmost, rightmost, (!unused, last))
  end

fun triangulate (begin, last) =
  case last - begin of
    2 => triangulate_two begin
  | 3 => triangulate_three begin
  | size =>
      let val middle = begin + size div 2
      in
        sew (Loops.fork (size, tuned_grain, fn () => triangulate (begin, middle), fn () => triangulate (middle, last)))
      end

fun run () =
  (MergeSort.sort (8192, keys, 0, n, buffer);
   Loops.parfor (2048, 0, n, fn i =>
     let val p = Array.sub (keys, i)
     in Array.update (xs, i, abscissa p); Array.update (ys, i, ordinate p) end);
   ignore (triangulate (0, n)))

fun count_edges () =
  let fun from (e, count) = if e >= halves then count else from (e + 2, if exists e then count + 1 else count)
  in from (0, 0) end

(* The number of edges, which is the answer, also tells whether the triangles cover the convex hull. *)
fun mistake () =
  let
    val met = Array.array (n, false)
    fun is_in_triangle e =
      let
        val second = next_on_left e
        val third = next_on_left second
      in
        next_on_left third = e andalso turn (origin e, target e, target second) > 0.0
      end
    fun opposite e = target (next_on_left e)
    fun is_inside (a, b, c, d) =
      sign_of_sum [(squared (a, d), turn (d, b, c)), (squared (b, d), turn (d, c, a)),
                   (squared (c, d), turn (d, a, b))] > 0
    fun around (first, e, steps) =
      if e = first andalso steps > 0 orelse steps > halves then steps else around (first, next_on_left e, steps + 1)
    fun walk (e, inside, outside, outer) =
      if e = halves then
        if not (Array.all (fn b => b) met) then "a point has no edge"
        else if outside = 0 orelse around (outer, outer, 0) <> outside then "there is a face that is no triangle"
        else if n + inside div 3 + 1 <> 2 + (inside + outside) div 2 then
          "points, edges and faces do not make a plane graph"
        else ""
      else if not (exists e) then walk (e + 1, inside, outside, outer)
      else if previous (next e) <> e orelse origin (next e) <> origin e orelse target e = origin e then
        "the edges around a point are no ring"
      else
        (Array.update (met, origin e, true);
         if not (is_in_triangle e) then walk (e + 1, inside, outside + 1, e)
         else if is_in_triangle (twin e) andalso is_inside (origin e, target e, opposite e, opposite (twin e)) then
           "a point is inside the circle around a triangle"
         else walk (e + 1, inside + 1, outside, outer))
  in
    if MergeSort.is_sorted keys then walk (0, 0, 0, 0) else "the points are not in order"
  end

val () = Bench.program
  {name = "delaunay", params = [("n", n)], passes = 1,
   reset = fn () =>
     (Array.copy {src = input, dst = keys, di = 0};
      Array.modify (fn _ => ~1) next_of;
      Array.modify (fn _ => ~1) previous_of;
      Array.modify (fn _ => ~1) origin_of),
   run = run,
   examine = fn () => (Bench.json_int (count_edges ()), mistake ())}

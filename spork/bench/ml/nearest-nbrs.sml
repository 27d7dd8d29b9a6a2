(* Finds the nearest neighbour of each of many points in the plane, by a k-d tree. The tree is an order of the points: the middle point of a
   range parts the range. In one coordinate the points before it are not greater, and the points after it are not less. *)

val n = Options.number ("--n", 1000000)
val extent = 268435456
val clusters = 100
val leaf_points = 8

(* The coordinates, and the number in the input. *)
type point = int * int * int
fun at (0, (x, _, _) : point) = x | at (_, (_, y, _)) = y
fun distance ((x, y, _) : point, (x', y', _) : point) = (x - x') * (x - x') + (y - y') * (y - y')

(* Half of the points are all over the square, the others in clusters that are denser towards their middles. *)
val input =
  let
    val random = Random.from 0w1
    fun anywhere () =
      let
        val x = Random.index (random, extent)
        val y = Random.index (random, extent)
      in
        (x, y)
      end
    val middles = Vector.tabulate (clusters, fn _ => anywhere ())
    fun point i =
      let
        val (x, y) = anywhere ()
        val choice = Random.index (random, 2 * clusters)
      in
        if choice >= clusters then (x, y, i)
        else
          let
            val narrow = Word.toInt (Word.<< (0w16, Random.below (random, 0w8)))
            val (x', y') = Vector.sub (middles, choice)
          in
            (x' + x div narrow, y' + y div narrow, i)
          end
      end
  in
    Array.tabulate (n, point) : point array
  end
val points = Array.tabulate (n, fn i => Array.sub (input, i))
val nearest = Array.array (n, 0)

fun exchange (i, j) =
  let val p = Array.sub (points, i)
  in Array.update (points, i, Array.sub (points, j)); Array.update (points, j, p) end

(* Orders the points [begin, last) so that the one at `middle` parts them (Hoare 1961). *)
fun part (begin, last, middle, axis) =
  if last - begin <= 1 then ()
  else
    let
      fun key i = at (axis, Array.sub (points, i))
      val a = key begin
      val b = key ((begin + last) div 2)
      val c = key (last - 1)
      val pivot = Int.max (Int.min (a, b), Int.min (Int.max (a, b), c))
      fun up i = if key i < pivot then up (i + 1) else i
      fun down j = if key j > pivot then down (j - 1) else j
      fun sweep (i, j) =
        let
          val i = up i
          val j = down j
        in
          if i > j then (i, j)
          else
            let val () = exchange (i, j)
            in if i + 1 > j - 1 then (i + 1, j - 1) else sweep (i + 1, j - 1) end
        end
      val (i, j) = sweep (begin, last - 1)
    in
      if middle <= j then part (begin, j + 1, middle, axis)
      else if middle >= i then part (i, last, middle, axis)
      else ()
    end

fun build (begin, last, axis) =
  if last - begin <= leaf_points then ()
  else
    let
      val middle = begin + (last - begin) div 2
      val () = part (begin, last, middle, axis)
    in
      ignore (Loops.fork (last - begin, 2048, fn () => build (begin, middle, 1 - axis),
                          fn () => build (middle + 1, last, 1 - axis)))
    end

(* Returns the square of the distance to the nearest other point in the tree, and its number, if it is nearer than the best so far. *)
fun visit (from as (_, _, number), begin, last, axis, best, found) =
  let
    fun consider (p as (_, _, other), best, found) =
      let val d = distance (p, from)
      in if d >= best orelse other = number then (best, found) else (d, other) end
  in
    if last - begin <= leaf_points then
      let
        fun each (i, best, found) =
          if i = last then (best, found)
          else
            let val (best, found) = consider (Array.sub (points, i), best, found)
            in each (i + 1, best, found) end
      in
        each (begin, best, found)
      end
    else
      let
        val middle = begin + (last - begin) div 2
        val parting = Array.sub (points, middle)
        val beyond = at (axis, from) - at (axis, parting)
        val (best, found) =
          if beyond < 0 then visit (from, begin, middle, 1 - axis, best, found)
          else visit (from, middle + 1, last, 1 - axis, best, found)
      in
        if beyond * beyond >= best then (best, found)
        else
          let val (best, found) = consider (parting, best, found)
          in
            if beyond < 0 then visit (from, middle + 1, last, 1 - axis, best, found)
            else visit (from, begin, middle, 1 - axis, best, found)
          end
      end
  end

val farthest = valOf Int.maxInt
fun run () =
  let val () = build (0, n, 0)
  in
    Loops.parfor (256, 0, n, fn i =>
      let val p = Array.sub (points, i)
      in Array.update (nearest, #3 p, #2 (visit (p, 0, n, 0, farthest, 0))) end)
  end

fun distance_of i = distance (Array.sub (input, i), Array.sub (input, Array.sub (nearest, i)))

val () = Bench.program
  {name = "nearest-nbrs", params = [("n", n)], passes = 1,
   reset = fn () => (Array.copy {src = input, dst = points, di = 0}; Array.modify (fn _ => 0) nearest),
   run = run,
   examine = fn () =>
     let fun sum (i, s) = if i = n then s else sum (i + 1, s + Word.fromInt (distance_of i))
     in (Bench.json_word (sum (0, 0w0)), "") end}

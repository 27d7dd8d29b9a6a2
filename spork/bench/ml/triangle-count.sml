(* Counts the triangles of a graph. *)

val scale = Options.number ("--scale", 15)
val vertices = Word.toInt (Word.<< (0w1, Word.fromInt scale))

(* An edge in a word: its first vertex above its second. *)
fun edge (a, b) = Word.orb (Word.<< (Word.fromInt a, 0w32), Word.fromInt b)
fun first e = Word.toInt (Word.>> (e, 0w32))
fun second e = Word.toInt (Word.andb (e, 0wxffffffff))

fun sort edges = MergeSort.sort (8192, edges, 0, Array.length edges, Array.array (Array.length edges, 0w0))

(* Random edges, each once, with the greater vertex first. *)
fun random_edges () =
  let
    val random = Random.from 0w1
    val all = Array.tabulate (16 * vertices, fn _ =>
      let val (a, b) = Edges.recursive_matrix (random, scale)
      in edge (Int.max (a, b), Int.min (a, b)) end)
    val () = sort all
    val kept = Growing.new 0w0
    fun keep (e, last) = (if first e = second e orelse e = last then () else Growing.add (kept, e); e)
  in
    ignore (Array.foldl keep 0wxffffffffffffffff all); Growing.all kept
  end

(* The vertices renumbered by their number of neighbours, and the smaller one of an edge first. *)
fun by_degree edges =
  let
    val degree = Array.array (vertices, 0)
    fun count v = Array.update (degree, v, Array.sub (degree, v) + 1)
    val () = Array.app (fn e => (count (first e); count (second e))) edges
    val order = Array.tabulate (vertices, fn v => edge (Array.sub (degree, v), v))
    val () = sort order
    val number = Array.array (vertices, 0)
    val () = Array.appi (fn (i, e) => Array.update (number, second e, i)) order
    fun renamed e =
      let
        val a = Array.sub (number, first e)
        val b = Array.sub (number, second e)
      in
        edge (Int.min (a, b), Int.max (a, b))
      end
  in
    Array.tabulate (Array.length edges, fn i => renamed (Array.sub (edges, i)))
  end

val edges = by_degree (random_edges ())
val () = sort edges

(* The neighbours of v are targets[starts[v]] to before targets[starts[v + 1]]. *)
val starts = Array.array (vertices + 1, 0)
val () = Array.app (fn e => Array.update (starts, first e, Array.sub (starts, first e) + 1)) edges
val _ = Blocks.sums_before starts
val targets = Array.tabulate (Array.length edges, fn i => second (Array.sub (edges, i)))

(* How many vertices are in both sorted lists targets[i, i_last) and targets[j, j_last). *)
fun common (i, i_last, j, j_last, count) =
  if i = i_last orelse j = j_last then count
  else
    let
      val u = Array.sub (targets, i)
      val v = Array.sub (targets, j)
    in
      common (if u <= v then i + 1 else i, i_last, if v <= u then j + 1 else j, j_last,
              if u = v then count + 1 else count)
    end

fun count_triangles () =
  Loops.reduce (64, 0, vertices, fn u =>
    let
      val begin = Array.sub (starts, u)
      val last = Array.sub (starts, u + 1)
      fun with_second i =
        let val v = Array.sub (targets, i)
        in common (i + 1, last, Array.sub (starts, v), Array.sub (starts, v + 1), 0) end
    in
      Loops.reduce (64, begin, last, with_second, op +, 0)
    end, op +, 0)

val answer = ref 0
val () = Bench.program
  {name = "triangle-count", params = [("scale", scale)], passes = 1,
   reset = fn () => answer := 0,
   run = fn () => answer := count_triangles (),
   examine = fn () => (Bench.json_int (!answer), "")}

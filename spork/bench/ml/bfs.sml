(* Finds, for each vertex of a random graph that can be reached from one of them, the vertex before it on a shortest path.

   The language has no compare-and-swap, by which the twin in C++ claims vertices. So two workers may both find that a vertex is new and note it;
   both write the number of their arc to the vertex, and of the two notes only the one with the number that is there afterwards counts. *)

val scale = Options.number ("--scale", 21)
val vertices = Word.toInt (Word.<< (0w1, Word.fromInt scale))
val block = 2048  (* arcs *)

(* Undirected edges, whose vertices of high degree are spread out. *)
val edges =
  let
    val random = Random.from 0w1
    fun renamed v =
      Word.toInt (Word.andb (Word.andb (Word.fromInt v * 0wx9e3779b1, 0wxffffffff), Word.fromInt (vertices - 1)))
  in
    Array.tabulate (16 * vertices, fn _ =>
      let val (a, b) = Edges.recursive_matrix (random, scale)
      in (renamed a, renamed b) end)
  end
val arcs = 2 * Array.length edges

(* The arcs from v are targets[first[v]] to before targets[first[v + 1]]. *)
val first = Array.array (vertices + 1, 0)
val targets = Array.array (arcs, 0)
val () =
  let
    fun count v = Array.update (first, v, Array.sub (first, v) + 1)
    val () = Array.app (fn (a, b) => (count a; count b)) edges
    val _ = Blocks.sums_before first
    val next = Array.tabulate (vertices, fn v => Array.sub (first, v))
    fun put (a, b) =
      let val i = Array.sub (next, a)
      in Array.update (targets, i, b); Array.update (next, a, i + 1) end
  in
    Array.app (fn (a, b) => (put (a, b); put (b, a))) edges
  end
fun degree v = Array.sub (first, v + 1) - Array.sub (first, v)
val source = #1 (Array.sub (edges, 0))

val parents = Array.array (vertices, ~1)
val winners = Array.array (vertices, ~1)    (* the number of the arc whose note counts *)
val frontier = Array.array (vertices, 0)
val arcs_before = Array.array (vertices + 1, 0)
val found = Array.array (arcs, 0)           (* notes: the number of an arc, and its vertex *)
fun vertex_of note = note mod vertices
fun counts note = Array.sub (winners, vertex_of note) = note div vertices

(* Sums in blocks: first of each block, then of all before each element. *)
fun sums (n, f) =
  let
    val blocks = (n + block - 1) div block
    val before_block = Array.array (blocks, 0)
    fun last_of b = Int.min (n, (b + 1) * block)
    fun sum (i, last, s) = if i = last then s else sum (i + 1, last, s + f i)
    fun write (i, last, s) =
      if i = last then () else (Array.update (arcs_before, i, s); write (i + 1, last, s + f i))
    val () = Loops.parfor (4, 0, blocks, fn b => Array.update (before_block, b, sum (b * block, last_of b, 0)))
    val all = Blocks.sums_before before_block
    val () = Loops.parfor (4, 0, blocks, fn b => write (b * block, last_of b, Array.sub (before_block, b)))
  in
    Array.update (arcs_before, n, all); all
  end

(* The place in the frontier of the vertex that the arc with this number, counted over the whole frontier, begins at. *)
fun place_of (arc, size) =
  let
    fun search (least, most) =  (* the last place whose arcs begin at `arc` or before *)
      if least + 1 >= most then least
      else
        let val middle = (least + most) div 2
        in if Array.sub (arcs_before, middle) <= arc then search (middle, most) else search (least, middle) end
  in
    search (0, size)
  end

(* Calls f (arc, u, v) for the arcs [begin, last) of the frontier. *)
fun each_arc (size, begin, last, f) =
  let
    fun vertex (k, arc) =
      if arc >= last then ()
      else
        let
          val u = Array.sub (frontier, k)
          val after = Int.min (last, Array.sub (arcs_before, k + 1))
          val shift = Array.sub (first, u) - Array.sub (arcs_before, k)
          fun from arc =
            if arc = after then vertex (k + 1, arc)
            else (f (arc, u, Array.sub (targets, arc + shift)) : unit; from (arc + 1))
        in
          from arc
        end
  in
    vertex (place_of (begin, size), begin)
  end

(* Puts the next level's vertices into the frontier, and returns their number. *)
fun advance size =
  let
    val all = sums (size, fn i => degree (Array.sub (frontier, i)))
    val blocks = (all + block - 1) div block
    fun last_of b = Int.min (all, (b + 1) * block)
    val noted = Array.array (blocks, 0)
    fun note b =
      let val count = ref 0
      in
        each_arc (size, b * block, last_of b, fn (arc, u, v) =>
          if Array.sub (parents, v) < 0 then
            (Array.update (parents, v, u);
             Array.update (winners, v, arc);
             Array.update (found, b * block + !count, arc * vertices + v);
             count := !count + 1)
          else ());
        Array.update (noted, b, !count)
      end
    val () = Loops.parfor (4, 0, blocks, note)

    val before_block = Array.array (blocks, 0)
    fun notes_of b = b * block + Array.sub (noted, b)
    fun count (i, last, sum) =
      if i = last then sum else count (i + 1, last, if counts (Array.sub (found, i)) then sum + 1 else sum)
    val () = Loops.parfor (4, 0, blocks, fn b => Array.update (before_block, b, count (b * block, notes_of b, 0)))
    val next = Blocks.sums_before before_block
    fun copy (i, last, to) =
      if i = last then ()
      else
        let val note = Array.sub (found, i)
        in
          if counts note then (Array.update (frontier, to, vertex_of note); copy (i + 1, last, to + 1))
          else copy (i + 1, last, to)
        end
  in
    Loops.parfor (4, 0, blocks, fn b => copy (b * block, notes_of b, Array.sub (before_block, b)));
    next
  end

fun levels size = if size = 0 then () else levels (advance size)
fun run () = (Array.update (parents, source, source); Array.update (frontier, 0, source); levels 1)

fun reached () = Array.foldl (fn (p, count) => if p >= 0 then count + 1 else count) 0 parents

(* Parents must lead to the source, over arcs that exist, and no arc may skip a level. *)
fun mistake () =
  let
    val level = Array.array (vertices, ~1)
    val () = Array.update (level, source, 0)
    fun climb (v, path) =
      if Array.sub (level, v) >= 0 then (Array.sub (level, v), path)
      else if length path > vertices then (~1, [])
      else climb (Array.sub (parents, v), v :: path)
    fun mark v =
      if Array.sub (parents, v) < 0 then ()
      else
        let val (l, path) = climb (v, [])
        in ignore (foldl (fn (u, l) => (Array.update (level, u, l + 1); l + 1)) l path) end
    fun all_vertices f = let fun from v = if v = vertices then () else (f v : unit; from (v + 1)) in from 0 end
    val has_arc = Array.array (vertices, false)
    val wrong = ref ""
    fun arc (u, v) =
      let
        val a = Array.sub (level, u)
        val b = Array.sub (level, v)
      in
        if Array.sub (parents, v) = u then Array.update (has_arc, v, true) else ();
        if (a < 0) <> (b < 0) then wrong := "a vertex was missed"
        else if b > a + 1 then wrong := "a path is not the shortest"
        else ()
      end
    fun arcs_of u =
      let fun from i = if i = Array.sub (first, u + 1) then () else (arc (u, Array.sub (targets, i)); from (i + 1))
      in from (Array.sub (first, u)) end
  in
    all_vertices mark;
    all_vertices arcs_of;
    all_vertices (fn v =>
      if v <> source andalso Array.sub (parents, v) >= 0 andalso not (Array.sub (has_arc, v)) then
        wrong := "a path takes an arc that does not exist"
      else ());
    !wrong
  end

val () = Bench.program
  {name = "bfs", params = [("scale", scale)], passes = 1,
   reset = fn () => (Array.modify (fn _ => ~1) parents; Array.modify (fn _ => ~1) winners),
   run = run,
   examine = fn () => (Bench.json_int (reached ()), mistake ())}

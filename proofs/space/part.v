(** * Parts of a computation graph that allocate and free

    An event adds bytes, or frees them if the number is negative. Parts follow each other or run beside each other, as the strands of a fork. A loop is
    its iterations beside each other. *)

From Coq Require Import List ZArith Lia Bool.
Import ListNotations.
Local Open Scope Z_scope.

Inductive part :=
| Add (bytes : Z)
| Follow (a b : part)
| Beside (a b : part).

(** The place of an event in a part. *)
Inductive event := It | InFirst (e : event) | InSecond (e : event).

Inductive event_of : part -> event -> Prop :=
| event_it n : event_of (Add n) It
| event_follow_first a b e : event_of a e -> event_of (Follow a b) (InFirst e)
| event_follow_second a b e : event_of b e -> event_of (Follow a b) (InSecond e)
| event_beside_first a b e : event_of a e -> event_of (Beside a b) (InFirst e)
| event_beside_second a b e : event_of b e -> event_of (Beside a b) (InSecond e).

(** In every schedule the first event comes before the second one. *)
Inductive precedes : part -> event -> event -> Prop :=
| precedes_follow a b e f : event_of a e -> event_of b f -> precedes (Follow a b) (InFirst e) (InSecond f)
| precedes_follow_first a b e f : precedes a e f -> precedes (Follow a b) (InFirst e) (InFirst f)
| precedes_follow_second a b e f : precedes b e f -> precedes (Follow a b) (InSecond e) (InSecond f)
| precedes_beside_first a b e f : precedes a e f -> precedes (Beside a b) (InFirst e) (InFirst f)
| precedes_beside_second a b e f : precedes b e f -> precedes (Beside a b) (InSecond e) (InSecond f).

(** A prefix: a set of events with all events that precede them. It is what may have run at one moment of some schedule. *)
Definition is_prefix (p : part) (set : event -> bool) : Prop :=
  forall e f, event_of p f -> precedes p e f -> set f = true -> set e = true.

(** The bytes that a set of events holds. *)
Fixpoint bytes_in (p : part) (set : event -> bool) : Z :=
  match p with
  | Add n => if set It then n else 0
  | Follow a b | Beside a b => bytes_in a (fun e => set (InFirst e)) + bytes_in b (fun e => set (InSecond e))
  end.

(** The bytes of the events in the order of a serial run, which runs the second part beside another one after the first one. *)
Fixpoint serial_run (p : part) : list Z :=
  match p with
  | Add n => [n]
  | Follow a b | Beside a b => serial_run a ++ serial_run b
  end.

Definition sum (l : list Z) : Z := fold_right Z.add 0 l.

(** ** The recurrences that tine computes (include/tine/augment/space.hpp) *)

Fixpoint held (p : part) : Z :=
  match p with Add n => n | Follow a b | Beside a b => held a + held b end.

Fixpoint serial_peak (p : part) : Z :=
  match p with
  | Add n => Z.max 0 n
  | Follow a b | Beside a b => Z.max (serial_peak a) (held a + serial_peak b)
  end.

Fixpoint worst_peak (p : part) : Z :=
  match p with
  | Add n => Z.max 0 n
  | Follow a b => Z.max (worst_peak a) (held a + worst_peak b)
  | Beside a b => worst_peak a + worst_peak b
  end.

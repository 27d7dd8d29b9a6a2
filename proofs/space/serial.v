(** * S₁: the serial peak is the greatest sum of a prefix of the serial run *)

From Coq Require Import List ZArith Lia.
Import ListNotations.
From tine.space Require Import part.
Local Open Scope Z_scope.

(** [n] is the greatest number of bytes that are held at any moment of the run. *)
Definition is_peak_of_run (run : list Z) (n : Z) : Prop :=
  (forall k, sum (firstn k run) <= n) /\ exists k, sum (firstn k run) = n.

Lemma sum_app a b : sum (a ++ b) = sum a + sum b.
Proof. induction a; simpl; lia. Qed.

Lemma sum_of_run p : sum (serial_run p) = held p.
Proof. induction p; simpl; rewrite ?sum_app; lia. Qed.

(** The moments of one run after another one are those of the first run, and those of the second one on top of what the first one has left. *)
Lemma peak_of_two a b n m : is_peak_of_run a n -> is_peak_of_run b m -> is_peak_of_run (a ++ b) (Z.max n (sum a + m)).
Proof.
  intros [Ha (k & Ek)] [Hb (l & El)]. split.
  - intros i. rewrite firstn_app, sum_app. destruct (Nat.le_gt_cases i (length a)) as [Hi | Hi].
    + replace (i - length a)%nat with 0%nat by lia. simpl. specialize (Ha i). lia.
    + rewrite firstn_all2 by lia. specialize (Hb (i - length a)%nat). lia.
  - destruct (Z.max_spec n (sum a + m)) as [[_ ->] | [_ ->]].
    + exists (length a + l)%nat. rewrite firstn_app_2, sum_app. lia.
    + exists (Nat.min k (length a)). rewrite firstn_app, sum_app. replace (Nat.min k (length a) - length a)%nat with 0%nat by lia. simpl.
      destruct (Nat.le_gt_cases k (length a)) as [Hk | Hk].
      * rewrite Nat.min_l by lia. lia.
      * rewrite Nat.min_r, firstn_all by lia. rewrite firstn_all2 in Ek by lia. lia.
Qed.

Theorem serial_peak_is_peak p : is_peak_of_run (serial_run p) (serial_peak p).
Proof.
  induction p as [n | a IHa b IHb | a IHa b IHb]; simpl.
  - split.
    + intros [| [| k]]; simpl; lia.
    + destruct (Z.max_spec 0 n) as [[_ ->] | [_ ->]]; [exists 1%nat | exists 0%nat]; simpl; lia.
  - rewrite <- sum_of_run. apply peak_of_two; auto.
  - rewrite <- sum_of_run. apply peak_of_two; auto.
Qed.

(** * The meaning of threads and pools: the results with which they end

    [ends f X pi v C zs]: code [C] of function [f] with the values [X] returns [zs], if the open promoted sporks of its frame have the results [pi], the
    oldest first, and [v] are its unpromoted sporks, which stay unpromoted. With no promoted spork this is a sequential run. *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics.

Section Program.
  Variable P : program.

  Inductive ends (f : nat) : values -> list values -> list call -> code -> values -> Prop :=
  | ends_assign X pi v e C zs : ends f (X ++ [evaluate X e]) pi v C zs -> ends f X pi v (Assign e C) zs
  | ends_goto X pi v b xs B zs : block_at P f b B -> ends f (entered B X (values_of X xs)) pi v (body B) zs -> ends f X pi v (Goto b xs) zs
  | ends_then X pi v e b1 b2 B zs : evaluate X e <> 0%Z -> block_at P f b1 B -> ends f (entered B X []) pi v (body B) zs ->
      ends f X pi v (If e b1 b2) zs
  | ends_else X pi v e b1 b2 B zs : evaluate X e = 0%Z -> block_at P f b2 B -> ends f (entered B X []) pi v (body B) zs ->
      ends f X pi v (If e b1 b2) zs
  | ends_call X pi v c b E B ys zs : block_at P (callee c) 0 E ->
      ends (callee c) (entered E (values_of X (arguments c)) []) [] [] (body E) ys ->
      block_at P f b B -> length ys = parameters B -> ends f (entered B X ys) pi v (body B) zs -> ends f X pi v (Call c b) zs
  | ends_return X xs : ends f X [] [] (Return xs) (values_of X xs)
  | ends_spork X pi v b c B zs : block_at P f b B -> ends f (entered B X []) pi (v ++ [c]) (body B) zs -> ends f X pi v (Spork b c) zs
  | ends_spoin_unpromoted X pi v c b1 b2 B zs : block_at P f b1 B -> ends f (entered B X []) pi v (body B) zs ->
      ends f X pi (v ++ [c]) (Spoin b1 b2) zs
  | ends_spoin_promoted X pi ys b1 b2 B zs : block_at P f b2 B -> length ys = parameters B -> ends f (entered B X ys) pi [] (body B) zs ->
      ends f X (pi ++ [ys]) [] (Spoin b1 b2) zs.

  (** The frames [K] return [zs] when the frame above them returns [ys]. [rs] are the results of all their promoted sporks, the oldest first. *)
  Inductive stack_ends : list values -> stack -> values -> values -> Prop :=
  | no_frame zs : stack_ends [] [] zs zs
  | frame_ends rs pi F b K B ys ws zs : block_at P (of F) b B -> length pi = length (promoted F) -> length ys = parameters B ->
      ends (of F) (entered B (env F) ys) pi (unpromoted F) (body B) ws -> stack_ends rs K ws zs -> stack_ends (rs ++ pi) ((F, b) :: K) ys zs.

  (** The first thread of the pool returns [zs], if the promoted sporks that have no child in the pool have the results [rs]. *)
  Inductive pool_ends : pool -> list values -> values -> Prop :=
  | leaf_ends t rs pi ys zs : length pi = length (promoted (current t)) ->
      ends (of (current t)) (env (current t)) pi (unpromoted (current t)) (code_left t) ys -> stack_ends rs (below t) ys zs ->
      pool_ends (Leaf t) (rs ++ pi) zs
  | fork_ends p c rs ys zs : pool_ends c [] ys -> pool_ends p (rs ++ [ys]) zs -> pool_ends (Fork p c) rs zs.

  (** ** A run has one result *)

  Lemma block_unique f b B B' : block_at P f b B -> block_at P f b B' -> B = B'.
  Proof. intros (F & H1 & H2) (F' & H1' & H2'). congruence. Qed.

  Lemma snoc_is_not_empty {A} (l : list A) x : l ++ [x] <> [].
  Proof. destruct l; discriminate. Qed.

  Theorem ends_once f X pi v C zs : ends f X pi v C zs -> forall zs', ends f X pi v C zs' -> zs = zs'.
  Proof.
    induction 1; intros zs' H'.
    - inversion H'; subst. auto.
    - inversion H'; subst. match goal with A : block_at P f b ?B1, B : block_at P f b ?B2 |- _ => assert (B1 = B2) by (eapply block_unique; eauto) end. subst. auto.
    - inversion H'; subst; [| contradiction]. match goal with A : block_at P f b1 ?B1, B : block_at P f b1 ?B2 |- _ => assert (B1 = B2) by (eapply block_unique; eauto) end. subst. auto.
    - inversion H'; subst; [contradiction |]. match goal with A : block_at P f b2 ?B1, B : block_at P f b2 ?B2 |- _ => assert (B1 = B2) by (eapply block_unique; eauto) end. subst. auto.
    - inversion H'; subst. assert (E0 = E) by (eapply block_unique; eauto). assert (B0 = B) by (eapply block_unique; eauto). subst.
      assert (ys = ys0) as <- by auto. auto.
    - inversion H'; subst; auto.
    - inversion H'; subst. assert (B0 = B) by (eapply block_unique; eauto). subst. auto.
    - inversion H'; subst.
      + match goal with A : _ ++ [_] = _ ++ [_] |- _ => apply app_inj_tail in A as [<- <-] end.
        match goal with A : block_at P f b1 ?B1, B : block_at P f b1 ?B2 |- _ => assert (B1 = B2) by (eapply block_unique; eauto) end. subst. auto.
      + exfalso. eapply snoc_is_not_empty. symmetry. eassumption.
    - inversion H'; subst.
      + exfalso. eapply snoc_is_not_empty. eassumption.
      + match goal with A : _ ++ [_] = _ ++ [_] |- _ => apply app_inj_tail in A as [<- <-] end.
        match goal with A : block_at P f b2 ?B1, B : block_at P f b2 ?B2 |- _ => assert (B1 = B2) by (eapply block_unique; eauto) end. subst. auto.
  Qed.
End Program.

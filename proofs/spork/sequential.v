(** * A meaning without promoted sporks is a run that promotes nothing *)

From Coq Require Import List ZArith Relations.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics meaning elision.

Section Program.
  Variable P : program.

  (** A run of one thread that promotes nothing. *)
  Definition runs : thread -> thread -> Prop := clos_refl_trans_1n _ (thread_step P).

  Lemma runs_step t t' t'' : thread_step P t t' -> runs t' t'' -> runs t t''.
  Proof. intros. eapply Relation_Operators.rt1n_trans; eauto. Qed.

  Lemma runs_then t t' t'' : runs t t' -> runs t' t'' -> runs t t''.
  Proof. intros H. revert t''. induction H; intros t'' H'; [exact H' | eapply runs_step; eauto]. Qed.

  (** A thread that has returned to the frame [F], whose function is [f], with the results [zs]. *)
  Definition returns (f : nat) (K : stack) (zs : values) (t : thread) : Prop :=
    exists F xs, t = {| below := K; current := F; code_left := Return xs |} /\ values_of (env F) xs = zs /\
                 of F = f /\ promoted F = [] /\ unpromoted F = [].

  Lemma meaning_runs f X q v C zs : ends P f X q v C zs -> q = [] -> forall K F, of F = f -> env F = X -> promoted F = [] -> unpromoted F = v ->
    exists t, runs {| below := K; current := F; code_left := C |} t /\ returns f K zs t.
  Proof.
    induction 1 as [f X q v e C zs H IH | f X q v b xs B zs HB H IH | f X q v e b1 b2 B zs He HB H IH | f X q v e b1 b2 B zs He HB H IH
      | f X q v c b E B ys zs HE H1 IH1 HB Hys H2 IH2 | f X xs | f X q v b c B zs HB H IH | f X q v c b1 b2 B zs HB H IH | f X q ys b1 b2 B zs HB Hys H IH];
      intros Hq K F Hof Henv Hpro Hun; subst.
    - destruct (IH eq_refl K (with_env F (env F ++ [evaluate (env F) e])) eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [constructor | exact Ht] | exact Hr].
    - destruct (IH eq_refl K (with_env F (entered B (env F) (values_of (env F) xs))) eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [constructor; exact HB | exact Ht] | exact Hr].
    - destruct (IH eq_refl K (with_env F (entered B (env F) [])) eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [eapply step_then; eauto | exact Ht] | exact Hr].
    - destruct (IH eq_refl K (with_env F (entered B (env F) [])) eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [eapply step_else; eauto | exact Ht] | exact Hr].
    - destruct (IH1 eq_refl ((F, b) :: K) (current (spawned c (env F) E)) eq_refl eq_refl eq_refl eq_refl) as (t1 & Ht1 & (G & xs & -> & <- & Hg & Hg1 & Hg2)).
      destruct (IH2 eq_refl K (with_env F (entered B (env F) (values_of (env G) xs))) eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [| exact Hr]. eapply runs_step; [constructor; exact HE |]. eapply runs_then; [exact Ht1 |].
      eapply runs_step; [eapply step_return; eauto | exact Ht].
    - exists {| below := K; current := F; code_left := Return xs |}. split; [apply rt1n_refl |]. exists F, xs. auto.
    - destruct (IH eq_refl K {| of := of F; promoted := promoted F; unpromoted := unpromoted F ++ [c]; env := entered B (env F) [] |} eq_refl eq_refl Hpro eq_refl)
        as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [constructor; exact HB | exact Ht] | exact Hr].
    - destruct (IH eq_refl K {| of := of F; promoted := promoted F; unpromoted := v; env := entered B (env F) [] |} eq_refl eq_refl Hpro eq_refl) as (t & Ht & Hr).
      exists t. split; [eapply runs_step; [eapply step_spoin_unpromoted; eauto | exact Ht] | exact Hr].
    - exfalso. eapply snoc_is_not_empty; eauto.
  Qed.

  (** If the run without promotions has a result, it ends with that result. *)
  Theorem sequential_run_ends B zs : sequential_result P B zs ->
    exists t, runs (spawned {| callee := 0; arguments := [] |} [] B) t /\ returns 0 [] zs t.
  Proof. intros H. exact (meaning_runs _ _ _ _ _ _ H eq_refl [] (current (spawned {| callee := 0; arguments := [] |} [] B)) eq_refl eq_refl eq_refl eq_refl). Qed.
End Program.

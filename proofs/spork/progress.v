(** * Progress (Spork, Theorem 2.1): a well-formed pool has ended, is blocked at a spoin whose child has not ended, or makes a step *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools.

(** A thread that returns from its last frame. *)
Definition is_final (R : pool) : Prop :=
  exists F xs, R = Leaf {| below := []; current := F; code_left := Return xs |} /\ promoted F = [] /\ unpromoted F = [].

(** A thread at the spoin of a promoted call. *)
Definition is_blocked (R : pool) : Prop :=
  exists K F b1 b2 pi c, R = Leaf {| below := K; current := F; code_left := Spoin b1 b2 |} /\ promoted F = pi ++ [c] /\ unpromoted F = [].

Section Program.
  Variable P : program.
  Hypothesis P_wf : wf_program P.

  Lemma function_is_wf n f : nth_error P n = Some f -> wf_function P f.
  Proof. intros H. apply nth_error_In in H. destruct P_wf as [F _]. rewrite Forall_forall in F. auto. Qed.

  Lemma entry_exists n f : nth_error P n = Some f -> exists B, block_at P n 0 B.
  Proof.
    intros H. destruct (function_is_wf _ _ H) as [_ (B & HB & _)]. exists B, f. auto.
  Qed.

  Lemma continuation_exists n f m rho b r : nth_error P n = Some f -> wf_continuation f m rho b r -> exists B, block_at P n b B.
  Proof. intros H (B & HB & _). exists B, f. auto. Qed.

  Lemma empty_or_snoc {A} (l : list A) : l = [] \/ exists l' x, l = l' ++ [x].
  Proof. induction l as [| a l IH] using rev_ind; [left; reflexivity | right; eauto]. Qed.

  Theorem progress R : wf_pool P R -> is_final R \/ is_blocked R \/ exists R', step P R R'.
  Proof.
    induction 1 as [t (f & Hf & Hd & Hs & Hc) | p c pi x Hp IHp Hc IHc Hw Hx Hr].
    - destruct t as [K F C]; simpl in *.
      remember (open_sporks F) as rho eqn:Erho. remember (length (env F)) as n eqn:En. destruct Hc; subst.
      + right; right. eexists. apply in_thread. constructor.
      + destruct (continuation_exists _ _ _ _ _ _ Hf H0) as (B & HB). right; right. eexists. apply in_thread. econstructor; eauto.
      + right; right. destruct (Z.eq_dec (evaluate (env F) e) 0) as [E | E].
        * destruct (continuation_exists _ _ _ _ _ _ Hf H1) as (B & HB). eexists. apply in_thread. eapply step_else; eauto.
        * destruct (continuation_exists _ _ _ _ _ _ Hf H0) as (B & HB). eexists. apply in_thread. eapply step_then; eauto.
      + destruct (entry_exists _ _ H0) as (B & HB). right; right. eexists. apply in_thread. econstructor; eauto.
      + symmetry in Erho. unfold open_sporks in Erho. apply app_eq_nil in Erho as [E1 E2].
        destruct K as [| [G b] K].
        * left. exists F, xs. auto.
        * inversion Hs as [| r G' b' K' g Hg _ Hnext _]; subst. destruct (continuation_exists _ _ _ _ _ _ Hg Hnext) as (B & HB).
          right; right. eexists. apply in_thread. eapply step_return; eauto.
      + destruct (continuation_exists _ _ _ _ _ _ Hf H0) as (B & HB). right; right. eexists. apply in_thread. econstructor; eauto.
      + right. destruct (empty_or_snoc (unpromoted F)) as [E | (v & c' & E)].
        * left. unfold open_sporks in Erho. rewrite E, app_nil_r in Erho. exists K, F, b1, b2, rho, c. auto.
        * right. destruct (continuation_exists _ _ _ _ _ _ Hf H0) as (B & HB). eexists. apply in_thread. eapply step_spoin_unpromoted; eauto.
    - right; right. destruct IHp as [(F & xs & -> & E1 & E2) | [(K & F & b1 & b2 & rho & y & -> & E1 & E2) | (p' & Hstep)]].
      + simpl in Hx. rewrite E1 in Hx. destruct pi; discriminate.
      + destruct IHc as [(G & ys & -> & E3 & E4) | [(K' & G & b1' & b2' & rho' & y' & -> & E3 & E4) | (c' & Hstep)]].
        * simpl in Hx. rewrite E1, app_assoc in Hx. apply app_inj_tail in Hx as [_ ->]. simpl in Hr.
          inversion Hp as [t (f & Hf & Hd & Hs & Hcode) |]; subst. simpl in *. inversion Hcode; subst.
          destruct (continuation_exists _ _ _ _ _ _ Hf H5) as (B & HB). eexists. eapply spoin_promoted; eauto.
        * simpl in Hw. rewrite E3 in Hw. destruct (promoted_of K'), rho'; discriminate.
        * eexists. apply in_child. eauto.
      + eexists. apply in_parent. eauto.
  Qed.
End Program.

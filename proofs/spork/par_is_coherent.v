(** * The encoding of par is coherent (Spork, Figure 5)

    A condition on the text of a program that makes the two ways of each spoin interchangeable: the unpromoted block makes the call that the spork would have
    spawned, and continues in a block with the text of the promoted one. *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools progress preservation meaning elision.

Definition same_text (B C : block) : Prop := scope B = scope C /\ parameters B = parameters C /\ body B = body C.

(** If [C], whose nesting is [rho], ends in a spoin, its unpromoted block makes the innermost spawned call. *)
Fixpoint makes_spawned_call (f : function) (rho : list call) (C : code) : Prop :=
  match C with
  | Assign _ C => makes_spawned_call f rho C
  | Spoin b1 b2 => forall outer c, rho = outer ++ [c] -> exists B1 b3 B2 B3, nth_error (blocks f) b1 = Some B1 /\ body B1 = Call c b3 /\
      nth_error (blocks f) b2 = Some B2 /\ nth_error (blocks f) b3 = Some B3 /\ same_text B2 B3
  | _ => True
  end.

Section Program.
  Variable P : program.
  Hypothesis P_wf : wf_program P.

  Lemma ways_are_interchangeable n f m outer c b1 b2 B1 b3 B2 B3 : nth_error P n = Some f -> wf_code P f m (outer ++ [c]) (Spoin b1 b2) ->
    nth_error (blocks f) b1 = Some B1 -> body B1 = Call c b3 -> nth_error (blocks f) b2 = Some B2 -> nth_error (blocks f) b3 = Some B3 -> same_text B2 B3 ->
    interchangeable P n c b1 b2.
  Proof.
    intros Hf Hwf HB1 Hcall HB2 HB3 (Hs & Hp & Hbody) X pi r zs E D1 D2 _ HE Hr HD1 Hscope1 HD2 Hscope2 Hlen H.
    assert (D1 = B1) as -> by (rewrite (block_of P _ _ _ _ HD1 Hf) in HB1; congruence).
    assert (D2 = B2) as -> by (rewrite (block_of P _ _ _ _ HD2 Hf) in HB2; congruence).
    inversion Hwf as [| | | | | | m' rho' d h b1' b2' Hh Hb1 Hb2 Hm Hrho]; subst.
    destruct Hb1 as (D & HD & _ & Hparams & _). assert (D = B1) as -> by congruence.
    (* the call in the unpromoted block *)
    destruct (function_is_wf P P_wf _ _ Hf) as [Hblocks _]. rewrite Forall_forall in Hblocks.
    destruct (Hblocks B1 (nth_error_In _ _ HB1)) as [Hcode _]. rewrite Hcall, Hparams, Nat.add_0_r in Hcode.
    inversion Hcode as [| | | k rho d' g b' Hd Hg Hb | | |]; subst. rewrite Hcall.
    destruct Hb as (D & HD' & Hscope & _ & _). assert (D = B3) as -> by congruence.
    assert (HB3' : block_at P n b3 B3) by (exists f; auto).
    eapply ends_call with (ys := r); [exact HE | | exact HB3' | rewrite <- Hp; exact Hlen |].
    - rewrite values_after_entering; [exact Hr | exact Hscope1 | exact (proj1 Hd)].
    - rewrite <- Hbody. replace (entered B3 (entered B1 X []) r) with (entered B2 X r); [exact H |].
      unfold entered. rewrite app_nil_r, firstn_firstn, Nat.min_l by exact Hscope. rewrite Hs. reflexivity.
  Qed.

  Lemma code_is_coherent n f C : nth_error P n = Some f -> forall m rho, wf_code P f m rho C -> makes_spawned_call f rho C -> coherent_code P n rho C.
  Proof.
    intros Hf. induction C as [e C IH | | | | | | b1 b2]; intros m rho Hwf Hco; simpl; auto.
    - inversion Hwf; subst. eapply IH; eauto.
    - intros outer c ->. destruct (Hco outer c eq_refl) as (B1 & b3 & B2 & B3 & H1 & H2 & H3 & H4 & H5). eapply ways_are_interchangeable; eauto.
  Qed.

  Theorem par_is_coherent : Forall (fun f => Forall (fun B => makes_spawned_call f (nesting B) (body B)) (blocks f)) P -> coherent P.
  Proof.
    intros Hall n b B (f & Hf & HB). rewrite Forall_forall in Hall. pose proof (Hall f (nth_error_In _ _ Hf)) as H. rewrite Forall_forall in H.
    destruct (function_is_wf P P_wf _ _ Hf) as [Hblocks _]. rewrite Forall_forall in Hblocks.
    destruct (Hblocks B (nth_error_In _ _ HB)) as [Hcode _]. eapply code_is_coherent; [exact Hf | exact Hcode |]. apply H. eapply nth_error_In, HB.
  Qed.
End Program.

(** * A verifier: a function that decides whether a program is well-formed *)

From Coq Require Import List Arith Bool Lia.
Import ListNotations.
From tine.spork Require Import syntax statics.

Fixpoint expression_ok (n : nat) (e : expression) : bool :=
  match e with
  | Constant _ => true
  | Temporary x => x <? n
  | Operation _ a b => expression_ok n a && expression_ok n b
  end.

Definition in_scope_ok (n : nat) (xs : list nat) : bool := forallb (fun x => x <? n) xs.

Definition call_dec (c d : call) : {c = d} + {c <> d}.
Proof. decide equality; [apply list_eq_dec, Nat.eq_dec | apply Nat.eq_dec]. Defined.

Definition same_calls (a b : list call) : bool := if list_eq_dec call_dec a b then true else false.

Section Program.
  Variable P : program.

  Definition call_ok (n : nat) (c : call) : bool :=
    in_scope_ok n (arguments c) && match nth_error P (callee c) with Some g => inputs g =? length (arguments c) | None => false end.

  Definition continuation_ok (f : function) (n : nat) (rho : list call) (b r : nat) : bool :=
    match nth_error (blocks f) b with
    | Some B => (scope B <=? n) && (parameters B =? r) && same_calls (nesting B) rho
    | None => false
    end.

  Fixpoint code_ok (f : function) (n : nat) (rho : list call) (C : code) : bool :=
    match C with
    | Assign e C => expression_ok n e && code_ok f (S n) rho C
    | Goto b xs => in_scope_ok n xs && continuation_ok f n rho b (length xs)
    | If e b1 b2 => expression_ok n e && continuation_ok f n rho b1 0 && continuation_ok f n rho b2 0
    | Call c b => call_ok n c && match nth_error P (callee c) with Some g => continuation_ok f n rho b (outputs g) | None => false end
    | Return xs => same_calls rho [] && in_scope_ok n xs && (length xs =? outputs f)
    | Spork b c => call_ok n c && continuation_ok f n (rho ++ [c]) b 0
    | Spoin b1 b2 =>
      match rev rho with
      | [] => false
      | c :: outer => match nth_error P (callee c) with
                      | Some g => continuation_ok f n (rev outer) b1 0 && continuation_ok f n (rev outer) b2 (outputs g)
                      | None => false
                      end
      end
    end.

  Definition block_ok (f : function) (B : block) : bool :=
    code_ok f (scope B + parameters B) (nesting B) (body B) && forallb (call_ok (scope B)) (nesting B).

  Definition function_ok (f : function) : bool := forallb (block_ok f) (blocks f) && continuation_ok f (inputs f) [] 0 0.

  Definition program_ok : bool :=
    forallb function_ok P && match nth_error P 0 with Some main => inputs main =? 0 | None => false end.

  (** ** The verifier decides the typing rules *)

  Lemma expression_ok_iff n e : expression_ok n e = true <-> wf_expression n e.
  Proof.
    induction e; simpl; [tauto | apply Nat.ltb_lt |]. rewrite andb_true_iff. tauto.
  Qed.

  Lemma in_scope_ok_iff n xs : in_scope_ok n xs = true <-> in_scope n xs.
  Proof. unfold in_scope_ok, in_scope. rewrite forallb_forall, Forall_forall. split; intros H x Hx; apply Nat.ltb_lt; auto; apply Nat.ltb_lt; auto. Qed.

  Lemma same_calls_iff a b : same_calls a b = true <-> a = b.
  Proof. unfold same_calls. destruct (list_eq_dec call_dec a b); split; congruence. Qed.

  Lemma call_ok_iff n c : call_ok n c = true <-> wf_call P n c.
  Proof.
    unfold call_ok, wf_call. rewrite andb_true_iff, in_scope_ok_iff. split; intros [Hs Hg]; split; auto.
    - destruct (nth_error P (callee c)) as [g |]; [| discriminate]. exists g. apply Nat.eqb_eq in Hg. auto.
    - destruct Hg as (g & -> & Hg). apply Nat.eqb_eq, Hg.
  Qed.

  Lemma continuation_ok_iff f n rho b r : continuation_ok f n rho b r = true <-> wf_continuation f n rho b r.
  Proof.
    unfold continuation_ok, wf_continuation. split.
    - destruct (nth_error (blocks f) b) as [B |]; [| discriminate]. rewrite !andb_true_iff, Nat.leb_le, Nat.eqb_eq, same_calls_iff.
      intros [[H1 H2] H3]. exists B. auto.
    - intros (B & -> & H1 & H2 & H3). rewrite !andb_true_iff, Nat.leb_le, Nat.eqb_eq, same_calls_iff. auto.
  Qed.

  Lemma code_ok_iff f C : forall n rho, code_ok f n rho C = true <-> wf_code P f n rho C.
  Proof.
    induction C as [e C IH | b xs | e b1 b2 | c b | xs | b c | b1 b2]; intros n rho; simpl.
    - rewrite andb_true_iff, expression_ok_iff, IH. split; [intros []; constructor; auto | inversion 1; auto].
    - rewrite andb_true_iff, in_scope_ok_iff, continuation_ok_iff. split; [intros []; constructor; auto | inversion 1; auto].
    - rewrite !andb_true_iff, expression_ok_iff, !continuation_ok_iff. split; [intros [[]]; constructor; auto | inversion 1; auto].
    - rewrite andb_true_iff, call_ok_iff. split.
      + intros [Hc Hg]. destruct (nth_error P (callee c)) as [g |] eqn:E; [| discriminate]. econstructor; eauto. apply continuation_ok_iff, Hg.
      + inversion 1 as [| | | n' rho' c' g b' Hc Hg Hb | | |]; subst. rewrite Hg. split; [auto | apply continuation_ok_iff, Hb].
    - rewrite !andb_true_iff, same_calls_iff, in_scope_ok_iff, Nat.eqb_eq. split.
      + intros [[-> Hs] Hl]. constructor; auto.
      + inversion 1; auto.
    - rewrite andb_true_iff, call_ok_iff, continuation_ok_iff. split; [intros []; constructor; auto | inversion 1; auto].
    - split.
      + destruct (rev rho) as [| c outer] eqn:E; [discriminate |]. destruct (nth_error P (callee c)) as [g |] eqn:Eg; [| discriminate].
        rewrite andb_true_iff, !continuation_ok_iff. intros [H1 H2].
        assert (Hrho : rho = rev outer ++ [c]) by (rewrite <- (rev_involutive rho), E; reflexivity). rewrite Hrho. econstructor; eauto.
      + inversion 1 as [| | | | | | n' rho' c g b1' b2' Hg H1 H2]; subst. rewrite rev_unit, Hg, rev_involutive, andb_true_iff, !continuation_ok_iff. auto.
  Qed.

  Lemma forallb_iff {A} (ok : A -> bool) (wf : A -> Prop) l : (forall x, ok x = true <-> wf x) -> forallb ok l = true <-> Forall wf l.
  Proof. intros H. rewrite forallb_forall, Forall_forall. split; intros Hl x Hx; apply H, Hl, Hx. Qed.

  Theorem verifier_decides : program_ok = true <-> wf_program P.
  Proof.
    unfold program_ok, wf_program. rewrite andb_true_iff, (forallb_iff _ (wf_function P)).
    - split; intros [Hf Hm]; split; auto.
      + destruct (nth_error P 0) as [main |]; [| discriminate]. exists main. apply Nat.eqb_eq in Hm. auto.
      + destruct Hm as (main & -> & Hm). apply Nat.eqb_eq, Hm.
    - intros f. unfold function_ok, wf_function. rewrite andb_true_iff, continuation_ok_iff, (forallb_iff _ (wf_block P f)); [tauto |].
      intros B. unfold block_ok, wf_block. rewrite andb_true_iff, code_ok_iff, (forallb_iff _ (wf_call P (scope B))); [tauto | apply call_ok_iff].
  Qed.
End Program.

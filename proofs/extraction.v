(** Programs in OCaml for tests/proofs: the comparisons of labels; the verifier and the stepper of Spork IR. *)

From Coq Require Import List Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From tine.spork Require verifier stepper.
From tine.labels Require Import computation series_parallel scheme offset_span english_hebrew depa pedigree.

Definition by_places (_ : computation) : place -> place -> relation := relation_of.
Definition by_labels (s : scheme) (c : computation) (p q : place) : relation := relate s (label s c p) (label s c q).
Definition by_offset_span := by_labels offset_span.
Definition by_english_hebrew := by_labels english_hebrew.
Definition by_pedigree := by_labels pedigree.
Definition by_depa (c : computation) (p q : place) : relation := relate_depa (depa c p) (depa c q).

Extraction "labels.ml" by_places by_offset_span by_english_hebrew by_pedigree by_depa.
Extraction "spork.ml" verifier.program_ok stepper.first_pool stepper.successors stepper.results_of.

// A heap as Dafny and Spec# wrote it: a polymorphic map from objects and typed fields.
type ref;
type Field a;
type HeapType = <a>[ref, Field a]a;

const unique null: ref;
const unique count: Field int;
const unique marked: Field bool;
const unique next: Field ref;

function IsGood(h: HeapType) returns (bool);
function Update<a>(h: HeapType, o: ref, f: Field a, v: a) returns (HeapType)
{ h[o, f := v] }

axiom (forall<a> h: HeapType, o: ref, f: Field a, v: a :: { Update(h, o, f, v) } IsGood(h) ==> IsGood(Update(h, o, f, v)));

var Heap: HeapType where IsGood(Heap);

procedure Bump(this: ref) returns (old_count: int)
  requires this != null;
  modifies Heap;
  ensures Heap[this, count] == old(Heap)[this, count] + 1;
  free ensures (forall<a> o: ref, f: Field a :: { Heap[o, f] } o == this || Heap[o, f] == old(Heap[o, f]));
{
  old_count := Heap[this, count];
  Heap[this, count] := old_count + 1;
  Heap := Update(Heap, this, marked, true);
  assume Heap[this, next] != null;
}

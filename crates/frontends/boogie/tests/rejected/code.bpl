procedure p(x: int)
{
  assert |{ A: return x; }|;
  assert |{ A: return; }|;
  assert |{ A: goto B; }|;
  assert |{ var y: bool; A: y := true; }|;
  return x > 0;
}

procedure p()
{
  goto a, nowhere;
  a:
  a:
  break;
  while (true) { break elsewhere; }
  goto b;
  if (*) { b: }
}

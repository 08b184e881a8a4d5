"""The C++ before the rows of cute_headers.py: a result is printed when it obeys the law of its operation, else `!`."""

HEAD = r"""
#include <algorithm>
#include <vector>
#include <cute/tensor.hpp>
#include <cute/util/print_latex.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
using namespace cute;
template <class T> void say(char const* what, T const& result) {
  printf("%s\t", what); print(result); printf("\n");
}
template <class R>
std::vector<int> offsets(R const& r) {
  std::vector<int> all;
  for (int i = 0; i < size(r); i++) all.push_back(r(i));
  std::sort(all.begin(), all.end());
  return all;
}
template <class A, class R>
void divided(char const* what, A const& a, R const& r) {
  if (size(r) == size(a)) { if (offsets(a) == offsets(r)) say(what, r); else printf("%s\t!\n", what); }
  else if (rank(coalesce(a)) == 1) say(what, r);
}
template <class R>
bool once(R const& r) {
  auto all = offsets(r);
  return std::unique(all.begin(), all.end()) == all.end();
}
template <class A, class B>
bool follows(A const& a, B const& b) {
  auto rest = complement(a, size(a) * cosize(b));
  auto copies = composition(rest, b);
  bool right = true;
  for (int k = 0; k < size(b); k++) right = right && copies(k) == rest(b(k));
  return right;
}
template <class A, class B, class R>
void multiplied(char const* what, A const& a, B const& b, R const& r) {
  if (once(r) && follows(a, b)) say(what, r); else printf("%s\t!\n", what);
}
template <class R>
void tiled(char const* what, R const& r) {
  if (once(r)) say(what, r); else printf("%s\t!\n", what);
}
template <class A, class B, class L, class R>
void multiplied_modes(char const* what, A const& a, B const& b, L const& logical, R const& r) {
  bool right = true;
  for_each(make_seq<tuple_size<B>::value>{}, [&](auto i) {
    auto tile = get<i>(a);
    auto rest = complement(tile, size(tile) * cosize(get<i>(b)));
    right = right && once(get<i>(logical));
    for (int k = 0; k < size(get<i>(b)); k++)
      right = right && get<1>(get<i>(logical))(k) == rest(get<i>(b)(k));
  });
  if (right) say(what, r); else printf("%s\t!\n", what);
}
template <class A, class L>
void inverted(char const* what, A const& a, L const& l) {
  bool right = true;
  for (int i = 0; i < size(a); i++) right = right && a(l(a(i))) == a(i);
  if (right) say(what, l); else printf("%s\t!\n", what);
}
template <class A, class B, class R>
void composed(char const* what, A const& a, B const& b, R const& r) {
  bool right = size(r) == size(b);
  for (int i = 0; i < size(b); i++) right = right && r(i) == a(b(i));
  if (right) say(what, r); else printf("%s\t!\n", what);
}
"""

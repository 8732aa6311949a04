// Plain JavaScript: the types of highlight.js bring those of browsers into every file (`hljs.d.ts` has ours).
import hljs from 'highlight.js/lib/common';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import dos from 'highlight.js/lib/languages/dos';
import elixir from 'highlight.js/lib/languages/elixir';
import elm from 'highlight.js/lib/languages/elm';
import erlang from 'highlight.js/lib/languages/erlang';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import julia from 'highlight.js/lib/languages/julia';
import latex from 'highlight.js/lib/languages/latex';
import nim from 'highlight.js/lib/languages/nim';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';
import verilog from 'highlight.js/lib/languages/verilog';
import vhdl from 'highlight.js/lib/languages/vhdl';
import vim from 'highlight.js/lib/languages/vim';
import x86asm from 'highlight.js/lib/languages/x86asm';

const more = {
  clojure,
  cmake,
  dart,
  dockerfile,
  dos,
  elixir,
  elm,
  erlang,
  groovy,
  haskell,
  julia,
  latex,
  nim,
  powershell,
  protobuf,
  scala,
  verilog,
  vhdl,
  vim,
  x86asm,
};
for (const [name, language] of Object.entries(more)) hljs.registerLanguage(name, language);

export { hljs };

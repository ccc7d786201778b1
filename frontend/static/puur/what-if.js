import{b as t}from"./part-OQX7DTRJ.js";import"./part-AH3TMFUR.js";t();

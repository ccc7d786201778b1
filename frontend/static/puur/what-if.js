import{b as t}from"./part-DX33URYG.js";import"./part-EJ3STMXE.js";t();

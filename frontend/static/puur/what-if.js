import{b as t}from"./part-4DPWWCLX.js";import"./part-EJ3STMXE.js";t();

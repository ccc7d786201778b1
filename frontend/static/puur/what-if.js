import{b as t}from"./part-SSYSOBPM.js";import"./part-MT4GZNTR.js";t();

import{b as t}from"./part-FWONB77M.js";import"./part-GCSPX3RP.js";t();

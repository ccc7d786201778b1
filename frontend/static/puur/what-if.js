import{b as t}from"./part-KXWYJ4VV.js";import"./part-JSK5GPSS.js";t();

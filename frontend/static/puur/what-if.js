import{a as t}from"./part-LNYPMDRP.js";import"./part-JSK5GPSS.js";t();

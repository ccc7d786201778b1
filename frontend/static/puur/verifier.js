import{a as b}from"./part-BQHODXPW.js";import"./part-L6OFNTCV.js";import{a}from"./part-73ZBTNEC.js";export{a as Unusable,b as verify};

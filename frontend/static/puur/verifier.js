import{a as b}from"./part-CIOZX4SN.js";import"./part-26MGNGCW.js";import{a}from"./part-73ZBTNEC.js";export{a as Unusable,b as verify};

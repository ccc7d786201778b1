import{a as b}from"./part-VLD42RIA.js";import"./part-O6T2NOSM.js";import{a}from"./part-TWT4N6J3.js";export{a as Unusable,b as verify};

import{a as b}from"./part-6X5CU2IG.js";import"./part-PYODM3A5.js";import{a}from"./part-NVDBYTQH.js";export{a as Unusable,b as verify};

import{a as b}from"./part-7FG5OVGZ.js";import"./part-5PKMU4MP.js";import{a}from"./part-TWT4N6J3.js";export{a as Unusable,b as verify};

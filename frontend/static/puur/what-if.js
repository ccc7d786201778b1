import{a as t}from"./part-AADJ7GHS.js";import"./part-4NTKXEMM.js";import"./part-5YR75WRU.js";import"./part-AXDI7X34.js";t();

import{b as t}from"./part-O5Z4NU6V.js";import"./part-7WSAZDO7.js";t();

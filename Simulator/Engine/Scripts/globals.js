// Runs before every script. `$isTooDeep` is whether a value is nested too deeply.
'use strict';
(function (isTooDeep) {
    delete globalThis.$isTooDeep;
    const Plain = Error;

    // On the service, the constructor of errors takes a number in front of the message: new Error(404, 'none'). The number of an error that
    // nothing catches is the sub-status of the response.
    function NumberedError(number, message) {
        const isNumbered = typeof number === 'number' && arguments.length > 1;
        const error = Reflect.construct(Plain, isNumbered ? [message] : Array.from(arguments), new.target || NumberedError);
        if (isNumbered)
            error.number = number;
        return error;
    }

    // Errors of all types keep being instances of Error.
    NumberedError.prototype = Plain.prototype;
    Plain.prototype.constructor = NumberedError;
    globalThis.Error = NumberedError;

    // The interpreter's own functions follow nested values without an end, down to that of the stack. A call of script has one.
    const check = value => {
        if (isTooDeep(value))
            throw new RangeError('The value has more than 256 levels.');
    };
    const { stringify } = JSON;
    JSON.stringify = (value, ...others) => {
        check(value);
        return stringify(value, ...others);
    };
    const { flat, join, toLocaleString } = Array.prototype;
    const define = (name, value) => Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
    define('flat', function (depth = 1) {
        check(this);
        return flat.call(this, depth);
    });
    define('join', function (...parameters) {
        return join.apply(this, parameters);
    });
    define('toLocaleString', function (...parameters) {
        return toLocaleString.apply(this, parameters);
    });
})($isTooDeep);

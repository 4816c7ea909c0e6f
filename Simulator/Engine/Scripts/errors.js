// Runs before every script. On the service, the constructor of errors takes a number in front of the message: new Error(404, 'none').
// The number of an error that nothing catches is the sub-status of the response.
'use strict';
(function () {
    const Plain = Error;

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
})();

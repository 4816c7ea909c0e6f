// Runs before every script. Returns JSON.stringify, also for the account. `$maxDepth` is the number of levels that it writes.
'use strict';
(function (maxDepth) {
    delete globalThis.$maxDepth;
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

    // The interpreter's own functions follow nested values without an end, down to that of the stack. A call of script has one, and so each
    // level goes through one.
    const { apply } = Reflect;
    const { isArray } = Array;
    const isObject = value => typeof value === 'object' && value !== null;
    const { stringify, parse } = JSON;
    const pickerOf = names => value => {
        if (!isObject(value) || isArray(value) || value instanceof Number || value instanceof String || value instanceof Boolean)
            return value;
        const picked = Object.create(null);
        for (const name of names)
            picked[name] = value[name];
        return picked;
    };
    JSON.stringify = (value, replacer, space) => {
        const pick = isArray(replacer) ? pickerOf(replacer.map(String)) : undefined;
        const depths = new Map();
        return stringify(value, function (key, item) {
            const chosen = typeof replacer === 'function' ? apply(replacer, this, [key, item]) : pick ? pick(item) : item;
            if (isObject(chosen)) {
                const depth = (depths.get(this) ?? 0) + 1;
                if (depth > maxDepth)
                    throw new RangeError(`The value has more than ${maxDepth} levels.`);
                depths.set(chosen, depth);
            }
            return chosen;
        }, space);
    };
    function revive(reviver, holder, key) {
        const value = holder[key];
        if (isObject(value)) {
            for (const name of Object.keys(value)) {
                const revived = revive(reviver, value, name);
                if (revived === undefined)
                    delete value[name];
                else
                    value[name] = revived;
            }
        }
        return apply(reviver, holder, [key, value]);
    }
    JSON.parse = (text, reviver) => {
        const value = parse(text);
        return typeof reviver === 'function' ? revive(reviver, { '': value }, '') : value;
    };
    const { join, toLocaleString } = Array.prototype;
    const define = (name, value) => Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
    function flatten(from, depth, all) {
        for (let i = 0; i < from.length; i++) {
            if (depth > 0 && isArray(from[i]))
                flatten(from[i], depth - 1, all);
            else if (i in from)
                all.push(from[i]);
        }
        return all;
    }
    define('flat', function (depth = 1) {
        return flatten(this, depth, []);
    });
    define('join', function (...parameters) {
        return join.apply(this, parameters);
    });
    define('toLocaleString', function (...parameters) {
        return toLocaleString.apply(this, parameters);
    });
    return JSON.stringify;
})($maxDepth);

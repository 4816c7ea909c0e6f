// What stored procedures and triggers see: getContext() with the collection, the request and the response, __ and console.
// Written after the documentation of the server-side JavaScript SDK (https://azure.github.io/azure-cosmosdb-js-server). The account calls
// the functions that the last line returns. `host` has what the account does; `given` what it knows of the request.
'use strict';
(function (host, given) {
    const ErrorCodes = Object.freeze({
        BadRequest: 400, Forbidden: 403, NotFound: 404, Conflict: 409, PreconditionFailed: 412, RequestEntityTooLarge: 413,
        RetryWith: 449, InternalServerError: 500,
    });
    const PageSize = 100;
    // More are more than a stack holds.
    const MaxParameters = 100_000;

    // Operations that were accepted and are still to be done, one after the other, each with its callback.
    const waiting = [];
    let aborted;

    function badRequest(text) {
        return new Error(ErrorCodes.BadRequest, text);
    }

    // A request or response: getBody(), setBody(x), appendBody(x), getValue('Body') and so on for each of its properties.
    function Message(properties) {
        const change = (name, toValue) => {
            const property = properties[name];
            if (property === undefined)
                throw badRequest('Cannot set new values: ' + name);
            if (!property.isWritable)
                throw new Error(ErrorCodes.Forbidden, 'Not a writable property: ' + name);
            property.value = toValue(property.value);
        };
        this.getValue = name => properties[name]?.value;
        this.setValue = (name, value) => change(name, () => value);
        this.appendValue = (name, value) => change(name, former => former === null || former === undefined ? value : former + value);
        for (const name of Object.keys(properties)) {
            this['get' + name] = () => this.getValue(name);
            if (properties[name].isWritable) {
                this['set' + name] = value => this.setValue(name, value);
                this['append' + name] = value => this.appendValue(name, value);
            }
        }
    }

    const readOnly = value => ({ value, isWritable: false });
    const requestBody = { value: given.requestBody, isWritable: given.changesRequest };
    const request = new Message({ __proto__: null, Body: requestBody, OperationType: readOnly(given.operationType) });
    const responseBody = { value: given.responseBody, isWritable: true };
    const response = given.hasResponse
        ? new Message({
            __proto__: null, Body: responseBody, ResourceQuotaCurrentUsage: readOnly(given.usage), MaxResourceQuota: readOnly(given.quota),
        })
        : undefined;

    function checkCount(name, actual, least) {
        if (actual < least)
            throw badRequest(`The function "${name}" requires at least ${least} argument(s) but was called with ${actual} argument(s).`);
    }

    function checkCollection(link) {
        if (link !== given.selfLink && link !== given.altLink)
            throw outside(link, 'collection');
    }

    // Where a document is, by its link: its resource id or its id.
    function documentAt(link) {
        const [self, alt] = [given.selfLink + 'docs/', given.altLink + '/docs/'];
        if (typeof link === 'string' && link.startsWith(self) && link.length > self.length)
            return { rid: link.slice(self.length).replace(/\/$/, '') };
        if (typeof link === 'string' && link.startsWith(alt) && link.length > alt.length)
            return { id: link.slice(alt.length).replace(/\/$/, '') };
        throw outside(link, 'document');
    }

    function outside(link, kind) {
        return badRequest(typeof link === 'string' && link.startsWith('dbs/')
            ? 'Function is not allowed to operate on resources outside current collection. Make sure that the link provided, '
                + `"${link}", belongs to current collection.`
            : `Invalid ${kind} link: "${link}".`);
    }

    function optionsAndCallback(options, callback) {
        if (typeof options === 'function' && callback === undefined)
            [options, callback] = [undefined, options];
        if (options !== undefined && typeof options !== 'object')
            throw badRequest(`The "options" parameter must be of type "object". Actual type is: "${typeof options}".`);
        if (callback !== undefined && typeof callback !== 'function')
            throw badRequest(`The "callback" parameter must be of type "function". Actual type is: "${typeof callback}".`);
        return [options ?? {}, callback];
    }

    function failure(result) {
        const error = new Error(result.status, result.message);
        error.body = result.message;
        return error;
    }

    // Queues an operation. False if it is too late for another one. `take` gives the callback's arguments after the error.
    function queue(operation, callback, take) {
        if (!host.accepts())
            return false;
        waiting.push(() => {
            const result = host.execute(operation);
            const error = result.status >= ErrorCodes.BadRequest ? failure(result) : undefined;
            if (callback)
                error ? callback(error) : callback(undefined, ...take(result));
            else if (error)
                throw error;
        });
        return true;
    }

    const about = result => ({
        continuation: result.continuation, notModified: result.status === 304 || undefined,
        currentCollectionSizeInMB: given.usage, maxCollectionSizeInMB: given.quota,
    });
    const takeDocument = result => [result.body, about(result)];
    const takeDocuments = result => [result.body.Documents, about(result)];

    function bodyOf(body, options) {
        if (body === null || (typeof body !== 'object' && typeof body !== 'string'))
            throw badRequest('The document body must be an object or a string representing a JSON-serialized object.');
        const document = typeof body === 'string' ? JSON.parse(body) : body;
        return JSON.stringify(document.id || options.disableAutomaticIdGeneration === true ? document : { ...document, id: host.newId() });
    }

    function write(name, link, body, options, callback) {
        checkCollection(link);
        [options, callback] = optionsAndCallback(options, callback);
        checkIndexing(options.indexAction);
        return queue({ name, body: bodyOf(body, options), etag: options.etag }, callback, takeDocument);
    }

    // Indexing of single documents is not simulated: the policy of the container decides.
    function checkIndexing(action) {
        const directive = typeof action === 'string' ? action.toLowerCase() : action;
        if (!['', 'default', 'include', 'exclude', undefined].includes(directive))
            throw badRequest(`The indexAction "${action}" is none of default, include and exclude.`);
        if (directive === (given.isIndexed ? 'exclude' : 'include'))
            throw badRequest(`The indexAction "${action}" is not simulated: the indexing policy of the container says otherwise.`);
    }

    function page(name, query, options) {
        const pageSize = options.pageSize || PageSize;
        if (!Number.isInteger(pageSize) || pageSize < -1 || pageSize > 0x7FFFFFFF)
            throw badRequest(`The pageSize "${pageSize}" is no number of documents.`);
        return { name, body: query, pageSize, continuation: options.continuation || undefined };
    }

    const collection = {
        getSelfLink: () => given.selfLink,
        getAltLink: () => given.altLink,

        createDocument(link, body, options, callback) {
            checkCount('createDocument', arguments.length, 2);
            return write('create', link, body, options, callback);
        },

        upsertDocument(link, body, options, callback) {
            checkCount('upsertDocument', arguments.length, 2);
            return write('upsert', link, body, options, callback);
        },

        replaceDocument(link, body, options, callback) {
            checkCount('replaceDocument', arguments.length, 2);
            const document = documentAt(link);
            [options, callback] = optionsAndCallback(options, callback);
            checkIndexing(options.indexAction);
            const text = typeof body === 'object' ? JSON.stringify(body) : body;
            return queue({ ...document, name: 'replace', body: text, etag: options.etag }, callback, takeDocument);
        },

        readDocument(link, options, callback) {
            checkCount('readDocument', arguments.length, 1);
            const document = documentAt(link);
            [options, callback] = optionsAndCallback(options, callback);
            return queue({ ...document, name: 'read', etag: options.ifNoneMatch }, callback, takeDocument);
        },

        deleteDocument(link, options, callback) {
            checkCount('deleteDocument', arguments.length, 1);
            const document = documentAt(link);
            [options, callback] = optionsAndCallback(options, callback);
            return queue({ ...document, name: 'delete', etag: options.etag }, callback, result => [about(result)]);
        },

        readDocuments(link, options, callback) {
            checkCount('readDocuments', arguments.length, 1);
            checkCollection(link);
            [options, callback] = optionsAndCallback(options, callback);
            return queue(page('feed', undefined, options), callback, takeDocuments);
        },

        queryDocuments(link, query, options, callback) {
            checkCount('queryDocuments', arguments.length, 2);
            checkCollection(link);
            if (typeof query !== 'string' && typeof query !== 'object')
                throw badRequest(`The "filterQuery" parameter must be of type "string" or "object". Actual type is: "${typeof query}".`);
            [options, callback] = optionsAndCallback(options, callback);
            const text = JSON.stringify(typeof query === 'string' ? { query } : query);
            return queue(page('query', text, options), callback, takeDocuments);
        },
    };

    // The query API: __.filter(f), or __.chain().filter(f).pluck('name').value(). The steps are done here, on all documents of the key.
    const by = (key, sign) => (a, b) => {
        const [x, y] = [key(a), key(b)];
        return x < y ? -sign : x > y ? sign : 0;
    };
    const steps = {
        filter: f => all => all.filter(one => f(one)),
        map: f => all => all.map(one => f(one)),
        pluck: name => all => all.map(one => one[name]),
        sortBy: key => all => [...all].sort(by(key, 1)),
        sortByDescending: key => all => [...all].sort(by(key, -1)),
        flatten: () => all => all.flat(1),
        unwind: (inner, combine) => all => all.flatMap(one => inner(one).map(part => combine ? combine(one, part) : part)),
    };

    function answer(chosen, options, callback) {
        [options, callback] = optionsAndCallback(options, callback);
        const respond = callback ?? ((error, feed) => {
            if (error)
                throw error;
            if (!response)
                throw badRequest('The callback function must be provided for scenarios, such as pre-trigger, when response object is not '
                    + 'available.');
            response.appendBody(JSON.stringify(feed));
        });
        const isAccepted = host.accepts();
        if (isAccepted)
            waiting.push(() => {
                let all = [];
                let result;
                do {
                    result = host.execute({ name: 'feed', pageSize: -1, continuation: result?.continuation });
                    if (result.status >= ErrorCodes.BadRequest)
                        return respond(failure(result));
                    all = all.concat(result.body.Documents);
                } while (result.continuation);
                respond(undefined, chosen.reduce((found, step) => step(found), all), about(result));
            });
        return { isAccepted };
    }

    function chainAfter(chosen) {
        const chain = { isAccepted: true, value: (options, callback) => answer(chosen, options, callback) };
        for (const name of Object.keys(steps))
            chain[name] = (...parameters) => chainAfter([...chosen, steps[name](...parameters)]);
        return chain;
    }

    collection.chain = () => chainAfter([]);
    for (const name of Object.keys(steps)) {
        collection[name] = (...parameters) => {
            // Options and a callback follow the functions that the step takes.
            const count = name === 'flatten' ? 0 : name === 'unwind' && parameters[1]?.length === 2 ? 2 : 1;
            return answer([steps[name](...parameters.slice(0, count))], ...parameters.slice(count));
        };
    }

    const context = {
        getCollection: () => collection,
        getRequest: () => request,
        abort(error) {
            aborted = { error };
            throw error;
        },
    };
    if (response)
        context.getResponse = () => response;

    globalThis.ErrorCodes = ErrorCodes;
    globalThis.getContext = () => context;
    globalThis.__ = Object.assign(Object.create(collection), { request }, response ? { response } : {});
    globalThis.console = {
        log(first, ...others) {
            checkCount('log', arguments.length, 1);
            host.log(others.reduce((text, one) => text.replace('%s', () => one), String(first)));
        },
    };

    const check = () => {
        if (aborted)
            throw aborted.error;
    };
    // A trigger may give the document as JSON already. One that it does not change stays as it was sent, to the last digit.
    const documentOf = value => value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
    const [requestBefore, responseBefore] = [given.requestBody, given.responseBody].map(documentOf);
    const changed = (value, before) => documentOf(value) === before ? undefined : documentOf(value);
    return {
        start: entry => {
            if (Number(given.parameters?.length) > MaxParameters)
                throw new RangeError('Maximum call stack size exceeded');
            // Everything like an array has parameters; another object, null and nothing have none.
            entry.apply(undefined, given.parameters);
        },
        isWaiting: () => waiting.length > 0,
        proceed: () => {
            check();
            waiting.shift()();
        },
        end: () => {
            check();
            return {
                value: JSON.stringify(responseBody.value ?? (responseBody.value === null ? null : '')),
                response: changed(responseBody.value, responseBefore), request: changed(requestBody.value, requestBefore),
            };
        },
    };
});

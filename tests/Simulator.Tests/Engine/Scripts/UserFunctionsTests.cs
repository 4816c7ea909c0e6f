using ScaleOut.Simulator.Engine.Scripts;

namespace ScaleOut.Tests.Simulator.Engine.Scripts;

/// <summary>What a function may take, by small limits.</summary>
public sealed class UserFunctionsTests
{
    [Theory]
    [InlineData("function() { while (true); }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { for (;;) { try { throw 1; } catch (e) { } } }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { return [1, 2].sort(() => { while (true); }); }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { /(a+)+$/.test('a'.repeat(40) + 'b'); while (true); }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { var all = []; while (true) all.push('x'.repeat(1e5) + all.length); }", 400, "Out of memory")]
    [InlineData("function() { return new Array(1e8).fill(0); }", 400, "Exception = ")]
    [InlineData("function f() { return f() + 1; }", 400, "RangeError: Maximum call stack size exceeded")]
    [InlineData("async function() { for (;;) await 0; }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { var a = {}; a.a = a; return a; }", 400, "TypeError")]
    [InlineData("function() { var a = {}; for (var i = 0; i < 3e4; i++) a = { a }; return a; }", 400, "256 levels")]
    [InlineData("function() { var a = {}; for (var i = 0; i < 3e4; i++) a = { a }; return JSON.stringify(a); }", 400, "256 levels")]
    [InlineData("function() { var a = []; for (var i = 0; i < 60; i++) a = [a, a]; return a; }", 408, "exceeded maximum alloted time")]
    [InlineData("function() { return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); }", 400, "TypeError")]
    [InlineData("function() { var e = { toJSON() { throw e; } }; throw e; }", 400, "Exception = ")]
    [InlineData("function() { import('x'); }", 400, "Exception = Error")]
    [InlineData(
        "function() { Map.prototype.get = () => 0; for (var a, i = 0; i < 300; i++) a = [a]; return a; }", 400, "Exception = Error")]
    public void Call_WithoutAnEnd_EndsWithItsReason(string body, int status, string message) => Fails(body, status, message);

    /// <summary>What the interpreter itself follows, down to the end of the stack and the process.</summary>
    [Theory]
    [InlineData("return { toJSON: () => a };", "more than 256 levels")]
    [InlineData("return { get a() { return a; } };", "more than 256 levels")]
    [InlineData("return JSON.stringify(1, (k, v) => k === '' ? { b: a } : v);", "more than 256 levels")]
    [InlineData("return JSON.stringify({ toJSON: () => ({ a }) }, ['a']);", "more than 256 levels")]
    [InlineData("JSON.parse('[1,2]', function(k, v) { this[1] = a; return v; });", "Maximum call stack")]
    [InlineData("return a.flat(Infinity);", "Maximum call stack")]
    [InlineData("return '' + a;", "Maximum call stack")]
    public void Call_ThatNestsDeeply_EndsWithItsReason(string body, string message) =>
        Fails($"function() {{ var a = 0; for (var i = 0; i < 1e5; i++) a = [a]; {body} }}", 400, message);

    [Fact]
    public void Call_WithMoreStatementsThanMayBe_Is408()
    {
        const string counts = "function(n) { var i = 0; while (i < n) i++; return i; }";
        using var functions = Create(counts, new ScriptLimits { Statements = 10_000, Time = TimeSpan.FromMinutes(5) });
        // Each call has the whole budget.
        for (var i = 0; i < 5; i++)
            Assert.Equal(3_000, functions.Call("f", [Datum.From(3_000)]).Number);
        Assert.Equal(408, Assert.Throws<RequestException>(() => functions.Call("f", [Datum.From(100_000)])).Status);
    }

    [Fact]
    public void Call_ManyTimes_HasTheTimeOfOneRunInAll()
    {
        const string takes20Ms = "function() { var end = Date.now() + 20; while (Date.now() < end); }";
        using var functions = Create(takes20Ms, new ScriptLimits { Time = TimeSpan.FromMilliseconds(300) });
        var e = Assert.Throws<RequestException>(() =>
        {
            for (var i = 0; i < 50; i++)
                functions.Call("f", []);
        });
        Assert.Equal(408, e.Status);
    }

    /// <summary>A call of few statements also ends, however long one of them takes.</summary>
    [Fact]
    public void Call_AfterTheTime_EndsAtItsFirstStatement()
    {
        using var functions = Create("function() { return 1; }", new ScriptLimits { Time = TimeSpan.Zero });
        Assert.Equal(408, Assert.Throws<RequestException>(() => functions.Call("f", [])).Status);
    }

    /// <summary>The interpreter is another one, which has none of what the former one kept.</summary>
    [Fact]
    public void Call_ManyThatAllocate_KeepsNoMoreThanTheLimit()
    {
        const string keeps = "function() { globalThis.all = (globalThis.all || []).concat(['x'.repeat(4e6) + 1]); return all.length; }";
        using var functions = Create(keeps, new ScriptLimits { AllocatedBytes = 64 * 1024 * 1024, Time = TimeSpan.FromMinutes(5) });
        var most = Enumerable.Range(0, 100).Max(_ => functions.Call("f", []).Number);
        Assert.InRange(most, 2, 30);
    }

    [Theory]
    [InlineData("function() { return '' + new Date(0).getTimezoneOffset(); }", "0")]
    [InlineData(
        "function() { return JSON.stringify({ a: [1, { b: 2, c: 3 }], d: new Date(0), e() { } }, ['d', 'a', 'b']); }",
        """{"d":"1970-01-01T00:00:00.000Z","a":[1,{"b":2}]}""")]
    [InlineData(
        "function() { return JSON.stringify({ a: 1, b: [2] }, function(k, v) { return k === 'a' ? this.b : v; }, 1); }",
        "{\n \"a\": [\n  2\n ],\n \"b\": [\n  2\n ]\n}")]
    [InlineData(
        "function() { return JSON.stringify(JSON.parse('{\"a\":[1,2],\"b\":3}', (k, v) => k === 'b' ? undefined : v > 1 ? -v : v)); }",
        """{"a":[1,-2]}""")]
    [InlineData("function() { return JSON.stringify([[1, [2, [3, , 4]]].flat(), [[[5]]].flat(Infinity)]); }", "[[1,2,[3,null,4]],[5]]")]
    [InlineData("function() { return '' + JSON.stringify(undefined) + JSON.stringify(() => 1); }", "undefinedundefined")]
    public void Call_OfWhatTheAccountWraps_IsAsElsewhere(string body, string expected)
    {
        using var functions = Create(body, ScriptLimits.Default);
        Assert.Equal(expected, functions.Call("f", []).Text);
    }

    [Fact]
    public void Call_WithValuesOfEachType_GivesThemBack()
    {
        using var functions = Create("function(x) { return x; }", ScriptLimits.Default);
        var deep = $"{new string('[', 256)}{new string(']', 256)}";
        string[] values = [deep, "null", "true", "false", "1.5", "-7", "\"é\\\"\"", "[1,[2,\"x\"],{}]", "{\"a\":{\"b\":[null]}}"];
        foreach (var json in values)
            Assert.Equal(json, DatumJson.ToText(functions.Call("f", [DatumJson.Parse(json)])));
        Assert.False(functions.Call("f", [Datum.Undefined]).IsDefined);
        Assert.False(functions.Call("f", [Datum.FromCalculation(double.PositiveInfinity)]).IsDefined);
    }

    private static void Fails(string body, int status, string message)
    {
        var limits = status == 408
            ? new ScriptLimits { Time = TimeSpan.FromMilliseconds(300), AllocatedBytes = long.MaxValue }
            : new ScriptLimits { Time = TimeSpan.FromMinutes(5), AllocatedBytes = 64 * 1024 * 1024 };
        using var functions = Create(body, limits);
        var e = Assert.Throws<RequestException>(() => functions.Call("f", []));
        Assert.Equal(status, e.Status);
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    private static UserFunctions Create(string body, ScriptLimits limits)
    {
        var scripts = new ContainerScripts();
        scripts.Create(number => new ScriptDefinition(ScriptKind.UserDefinedFunction, "f", body, number, number, 0));
        return new UserFunctions(scripts, limits);
    }
}

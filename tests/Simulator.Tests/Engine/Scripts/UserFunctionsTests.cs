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
    [InlineData("function() { var a = {}; a.a = a; return a; }", 400, "RangeError: The value has more than 256 levels.")]
    [InlineData("function() { var a = {}; for (var i = 0; i < 3e4; i++) a = { a }; return a; }", 400, "256 levels")]
    [InlineData("function() { var a = {}; for (var i = 0; i < 3e4; i++) a = { a }; return JSON.stringify(a); }", 400, "256 levels")]
    [InlineData("function() { var a = []; for (var i = 0; i < 3e4; i++) a = [a]; return a.flat(Infinity); }", 400, "256 levels")]
    [InlineData("function() { var a = []; for (var i = 0; i < 3e4; i++) a = [a]; return '' + a; }", 400, "Maximum call stack")]
    [InlineData("function() { var a = []; for (var i = 0; i < 60; i++) a = [a, a]; return a; }", 408, "exceeded maximum alloted time")]
    public void Call_WithoutAnEnd_EndsWithItsReason(string body, int status, string message)
    {
        var limits = status == 408
            ? new ScriptLimits { Time = TimeSpan.FromMilliseconds(300), AllocatedBytes = long.MaxValue }
            : new ScriptLimits { Time = TimeSpan.FromMinutes(5), AllocatedBytes = 64 * 1024 * 1024 };
        using var functions = Create(body, limits);
        var e = Assert.Throws<RequestException>(() => functions.Call("f", []));
        Assert.Equal(status, e.Status);
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

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

    private static UserFunctions Create(string body, ScriptLimits limits)
    {
        var scripts = new ContainerScripts();
        scripts.Create(number => new ScriptDefinition(ScriptKind.UserDefinedFunction, "f", body, number, number, 0));
        return new UserFunctions(scripts, limits);
    }
}

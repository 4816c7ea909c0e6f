using System.Runtime.CompilerServices;
using Acornima.Ast;
using Jint;
using Jint.Native;
using Jint.Native.Json;
using Jint.Native.Object;
using Jint.Runtime;
using Jint.Runtime.Interop;
using Interpreter = Jint.Engine;

namespace ScaleOut.Simulator.Engine.Scripts;

/// <summary>
/// A JavaScript interpreter for one run of scripts, which sees nothing of .NET and no other run's state. Not thread-safe.
/// </summary>
internal sealed class ScriptEngine : IDisposable
{
    /// <summary>Levels of JSON that script reads and writes; more than a document may have.</summary>
    private const int MaxDepth = 256;

    private const string EntryName = "$entry";

    private static readonly string[] Libraries = ["globals.js:", "collection.js:"];
    private static readonly Prepared<Script> Globals = PrepareLibrary("globals.js");
    private static readonly Prepared<Script> Collection = PrepareLibrary("collection.js");

    /// <summary>Compiled scripts, as long as somebody has their definition.</summary>
    private static readonly ConditionalWeakTable<ScriptDefinition, object> Compiled = [];

    private readonly Interpreter _interpreter;
    private readonly JsValue _stringify;

    public ScriptEngine(ScriptLimits limits)
    {
        Budget = new ScriptBudget(limits);
        _interpreter = new Interpreter(options =>
        {
            options.Constraint(Budget).DisableStringCompilation().MaxArraySize(limits.ArrayItems).MaxJsonParseDepth(MaxDepth)
                .RegexTimeoutInterval(limits.MatchTime);
            // Endless recursion is a RangeError.
            options.Constraints.StackOverflowGuard = true;
            // Atomics.wait would hold its thread.
            options.AgentCanSuspend = false;
            options.TimeZone = TimeZoneInfo.Utc;
            options.Culture = CultureInfo.InvariantCulture;
        });
        _interpreter.SetValue("$maxDepth", MaxDepth);
        _stringify = _interpreter.Evaluate(Globals);
    }

    public ScriptBudget Budget { get; }

    /// <summary>The function of a script.</summary>
    /// <exception cref="RequestException">400: the script is no function.</exception>
    public JsValue Load(ScriptDefinition script)
    {
        var compiled = (Prepared<Script>)Compiled.GetValue(script, Compile);
        return Run(() =>
        {
            _interpreter.Execute(compiled);
            var entry = _interpreter.GetValue(EntryName);
            return entry.IsCallable() ? entry : throw ScriptErrors.OfCompilation("SyntaxError: The script is no function.");
        });
    }

    /// <summary>Gives scripts the collection. Returns the functions by which a script runs.</summary>
    public ObjectInstance SetUp(ObjectInstance host, ObjectInstance given) =>
        Call(_interpreter.Evaluate(Collection), host, given).AsObject();

    /// <summary>Calls a function, then what promises have waited for.</summary>
    /// <exception cref="RequestException">400: the function threw an exception, or took too much memory. 408: it took too long.</exception>
    public JsValue Call(JsValue function, params JsValue[] arguments) => Run(() =>
    {
        var result = _interpreter.Call(function, arguments);
        _interpreter.Advanced.ProcessTasks();
        return result;
    });

    public ObjectInstance CreateObject(params ReadOnlySpan<(string Name, JsValue Value)> properties)
    {
        var created = new JsObject(_interpreter);
        foreach ((var name, var value) in properties)
            created.Set(name, value);
        return created;
    }

    public JsValue CreateFunction(Func<JsValue[], JsValue> body) => new ClrFunction(_interpreter, "", (_, arguments) => body(arguments));

    /// <exception cref="RequestException">400: no JSON.</exception>
    public JsValue Parse(ReadOnlySpan<byte> json)
    {
        try
        {
            return new JsonParser(_interpreter).Parse(json);
        }
        catch (JavaScriptException e)
        {
            throw RequestException.BadRequest(e.Message);
        }
    }

    /// <summary>The value as JSON; null for undefined and functions.</summary>
    public string? ToJson(JsValue value) => Call(_stringify, value) is var json && json.IsString() ? json.AsString() : null;

    /// <summary>Runs script and what is done with its values.</summary>
    /// <exception cref="RequestException">400 or 408: script failed.</exception>
    public T Run<T>(Func<T> run)
    {
        try
        {
            return run();
        }
        catch (JavaScriptException e)
        {
            throw Describe(e);
        }
        catch (Exception e) when (e is RegexMatchTimeoutException or TimeoutException)
        {
            throw ScriptBudget.TookTooLong();
        }
        catch (Exception e) when (e is not RequestException)
        {
            // What script asked for made the interpreter fail, such as an import. The client sees it.
            throw ScriptErrors.OfRun($"Error: {e.Message}");
        }
    }

    public void Dispose() => _interpreter.Dispose();

    private static object Compile(ScriptDefinition script)
    {
        try
        {
            // An assignment takes a function with or without a name, an arrow function, and what follows it.
            return Prepare($"{EntryName} = {script.Body}", script.Name);
        }
        catch (ScriptPreparationException e)
        {
            throw ScriptErrors.OfCompilation($"SyntaxError: {e.InnerException?.Message ?? e.Message}");
        }
    }

    /// <summary>An exception of script as the service writes it. Reading the error's properties may run script again.</summary>
    private RequestException Describe(JavaScriptException exception)
    {
        if (exception.Error is not ObjectInstance error)
            return ScriptErrors.OfRun(exception.Error.ToString());
        try
        {
            var name = error.Get("name");
            var text = name.IsUndefined() ? ToJson(error) : $"{name}: {error.Get("message")}";
            var number = error.Get("number");
            return ScriptErrors.OfRun(
                $"{text}\r\nStack trace: {text}\n{StackOf(exception)}",
                number.IsNumber() && number.AsNumber() is >= 0 and <= int.MaxValue ? (int)number.AsNumber() : 0);
        }
        catch (JavaScriptException e)
        {
            return ScriptErrors.OfRun(e.Message);
        }
    }

    /// <summary>The calls that led to an exception, without those of this folder's scripts.</summary>
    private static string StackOf(JavaScriptException exception) => string.Join(
        '\n', (exception.JavaScriptStackTrace ?? "").Split('\n').Where(line => !Libraries.Any(line.Contains)));

    /// <summary>Compiles a script of this folder.</summary>
    private static Prepared<Script> PrepareLibrary(string name)
    {
        using var stream = typeof(ScriptEngine).Assembly.GetManifestResourceStream($"scripts.{name}")!;
        using var reader = new StreamReader(stream);
        return Prepare(reader.ReadToEnd(), name);
    }

    private static Prepared<Script> Prepare(string code, string name) => Interpreter.PrepareScript(
        code, name, options: new ScriptPreparationOptions
        {
            ParsingOptions = new ScriptParsingOptions { RegexTimeout = ScriptLimits.Default.MatchTime },
        });
}

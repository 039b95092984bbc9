//! The four tools as a model calls them: a name and a text of arguments. The text is JSON of exactly
//! the tool's fields, or the call is an error; nothing is guessed, completed or left out.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use vosim_protocol::wire::Json;

use super::beneath::FILE_MAX_BYTES;
use super::name::FileName;
use super::refusal::FileRefusal;

/// Longest text of arguments, bytes: a file of the largest size with every character escaped.
const ARGUMENTS_MAX_BYTES: usize = 6 * 2 * FILE_MAX_BYTES;
/// How much of a wrong text is told back, characters.
const SENT_MAX_CHARS: usize = 800;

/// A tool call that can be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileCall {
    /// Writes a whole file.
    Create {
        /// The file.
        path: FileName,
        /// All of its text.
        content: String,
    },
    /// Reads a whole file.
    Read {
        /// The file.
        path: FileName,
    },
    /// Lists the files.
    List,
    /// Replaces one passage of a file.
    Edit {
        /// The file.
        path: FileName,
        /// A text that occurs in it once.
        old: String,
        /// What takes its place.
        new: String,
    },
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct FileTool {
    /// What it is called.
    pub name: &'static str,
    /// What it does, for the model.
    pub text: &'static str,
    /// The JSON schema of its arguments.
    pub schema: Json,
}

const CREATE: &str = "create_file";
const READ: &str = "read_file";
const LIST: &str = "list_files";
const EDIT: &str = "apply_edit";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateArguments {
    /// Path of the file, relative to the workspace.
    path: String,
    /// The whole text of the file.
    content: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    /// Path of the file, relative to the workspace.
    path: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditArguments {
    /// Path of the file, relative to the workspace.
    path: String,
    /// The text to replace, exactly as it stands in the file; it must occur there once.
    old: String,
    /// The text that takes its place.
    new: String,
}

/// The tools, in the order in which a model is told of them.
pub fn described() -> [FileTool; 4] {
    [
        FileTool {
            name: CREATE,
            text: "Write a whole file, with its folders. Read a file that is already there first.",
            schema: schema::<CreateArguments>(),
        },
        FileTool { name: READ, text: "Read a whole text file.", schema: schema::<ReadArguments>() },
        FileTool {
            name: LIST,
            text: "List the files of the workspace with their sizes.",
            schema: schema::<ListArguments>(),
        },
        FileTool {
            name: EDIT,
            text: "Replace one passage of a file that you have read. Nothing else in it changes.",
            schema: schema::<EditArguments>(),
        },
    ]
}

impl FileCall {
    /// Reads a call.
    ///
    /// # Errors
    /// If there is no such tool, or the arguments are not one whole JSON object of its fields.
    pub fn parse(tool: &str, arguments: &str) -> Result<Self, FileRefusal> {
        match tool {
            CREATE => {
                let CreateArguments { path, content } = strict(CREATE, arguments)?;
                Ok(Self::Create { path: FileName::parse(&path)?, content })
            }
            READ => {
                let ReadArguments { path } = strict(READ, arguments)?;
                Ok(Self::Read { path: FileName::parse(&path)? })
            }
            LIST => strict(LIST, arguments).map(|ListArguments {}| Self::List),
            EDIT => {
                let EditArguments { path, old, new } = strict(EDIT, arguments)?;
                Ok(Self::Edit { path: FileName::parse(&path)?, old, new })
            }
            other => {
                let name = other.chars().take(64).collect();
                Err(FileRefusal::UnknownTool { name })
            }
        }
    }
}

fn strict<T: DeserializeOwned + JsonSchema>(
    tool: &'static str,
    text: &str,
) -> Result<T, FileRefusal> {
    let wrong = |why: String| FileRefusal::Arguments {
        tool,
        why,
        sent: text.chars().take(SENT_MAX_CHARS).collect(),
        schema: Box::new(schema::<T>()),
    };
    if text.len() > ARGUMENTS_MAX_BYTES {
        return Err(wrong(format!("they are {} bytes long", text.len())));
    }
    // A row of values would be taken for the fields in their order.
    if !text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{') {
        return Err(wrong("they are not a JSON object".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
}

fn schema<T: JsonSchema>() -> Json {
    let mut schema = schemars::schema_for!(T).to_value();
    // What names the schema is nothing to a model.
    if let Some(fields) = schema.as_object_mut() {
        fields.shift_remove("$schema");
        fields.shift_remove("title");
    }
    schema
}

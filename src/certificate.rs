//! `--certify`: what is said of a proof, and the file that collects proofs.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Context;
use kermode::certificate::{Certificate, NoProduct, Proof, Subject};
use kermode::solve::Stop;
use kermode::solve::certify::NotProved;
use kermode::solve::question::unknown;
use serde_json::{Value, json};

use crate::status::Status;

/// What is known of the proof of a verdict.
pub(crate) enum Certified {
    /// The proof.
    Proved(Box<Proof>),
    /// There is none, for this reason.
    Not(String),
    /// The search for a proof says that the verdict is wrong: a bug.
    Refuted,
}

impl From<Result<Result<Proof, NotProved>, Stop>> for Certified {
    fn from(searched: Result<Result<Proof, NotProved>, Stop>) -> Self {
        match searched {
            Ok(Ok(proof)) => Certified::Proved(Box::new(proof)),
            Ok(Err(NotProved::Refuted)) => Certified::Refuted,
            Ok(Err(NotProved::NoProduct(why @ NoProduct::TooLarge(_)))) => {
                Certified::Not(why.to_string())
            }
            Ok(Err(NotProved::NoProduct(why))) => {
                Certified::Not(format!("the property was read in another way: {why}"))
            }
            Err(stop) => Certified::Not(unknown(&stop)),
        }
    }
}

impl Certified {
    /// The line below the verdict.
    pub(crate) fn line(&self) -> String {
        match self {
            Certified::Proved(proof) => {
                let (bits, nodes) = (proof.bits.len(), proof.nodes.len());
                format!("  certified: {bits} bits, {nodes} nodes")
            }
            Certified::Not(why) => format!("  not certified: {why}"),
            Certified::Refuted => "  not certified: the search for a proof found a path or word \
                                   that contradicts the verdict; this is a bug in Kermode"
                .to_owned(),
        }
    }

    /// The status of a verdict with this proof.
    pub(crate) fn status(&self, verdict: Status) -> Status {
        match self {
            Certified::Refuted => Status::Internal,
            Certified::Proved(_) | Certified::Not(_) => verdict,
        }
    }

    /// The fields of the verdict in JSON.
    pub(crate) fn json(&self) -> Vec<(String, Value)> {
        let certified = matches!(self, Certified::Proved(_));
        let mut fields = vec![("certified".to_owned(), json!(certified))];
        if !certified {
            let why = self.line();
            let why = why.trim_start().trim_start_matches("not certified: ");
            fields.push(("not_certified".to_owned(), json!(why)));
        }
        fields
    }
}

/// The file that collects proofs.
pub(crate) struct CertificateFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl CertificateFile {
    /// A certificate without proofs.
    pub(crate) fn create(path: &Path, subject: Subject) -> anyhow::Result<CertificateFile> {
        let cannot = || format!("cannot write `{}`", path.display());
        let mut file = File::create(path).with_context(cannot)?;
        write!(file, "{}", Certificate { subject, proofs: Vec::new() }).with_context(cannot)?;
        Ok(CertificateFile { path: path.to_owned(), file: Mutex::new(file) })
    }

    /// Adds a proof, if there is one.
    pub(crate) fn add(&self, certified: Option<&Certified>) -> anyhow::Result<()> {
        let Some(Certified::Proved(proof)) = certified else { return Ok(()) };
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let written = file.write_all(proof.to_string().as_bytes());
        written.with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

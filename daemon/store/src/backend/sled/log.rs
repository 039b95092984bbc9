//! Reads sled's file without sled, and changes nothing.
//!
//! sled takes damage in its log for the end of an interrupted write: when it opens, it zeroes
//! everything behind, before anybody can look. So the log is read here first, in the way in which
//! sled would recover it, and [`look`] says what sled would find, what it would throw away, and
//! whether there is any doubt. An ordinary end, left by a process that was killed, is none.
//!
//! The file is a row of segments of 512 KiB; a segment has a header and messages, and its number
//! (its log number by the size) gives the order. A snapshot says where recovery begins and where
//! each page was found before. A segment whose pages have all been written again is given back or
//! used again, even the one in which the snapshot ends: so segments are missing in a sound log, but
//! none of its tail. A header says how far the log was stable when its segment was begun, and sled
//! lets go of a segment only when such a number, written to the file, lies beyond it.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use crate::backend::Looked;
use crate::files::entries;
use crate::tally::Mark;

/// The size of a segment.
const SEGMENT_BYTES: u64 = 512 * 1024;
const SEGMENT_LEN: usize = 512 * 1024;
/// The size of a segment's header: inverted checksum of the rest, log number, highest stable number.
const HEADER_BYTES: usize = 20;
/// With less room than this, no further message is written into a segment.
const MESSAGE_HEADER_MAX_BYTES: usize = 32;
/// How the names of snapshots begin.
pub(crate) const SNAPSHOT: &str = "snap.";
/// How the name of a snapshot ends that is being written.
const GENERATING: &str = ".generating";
/// The length and the checksum that end a snapshot.
const SNAPSHOT_END_BYTES: usize = 12;

/// The kinds of messages.
const CAP: u8 = 2;
const BATCH: u8 = 3;
const FREE: u8 = 4;
const REPLACE: [u8; 5] = [5, 6, 7, 8, 9];
const LINK: [u8; 2] = [10, 11];
/// A page with its rows, and one row for a page, each in the log itself and not in a file of its own.
pub(super) const NODE_IN_LOG: u8 = 8;
pub(super) const LINK_IN_LOG: u8 = 10;
const KIND_MAX: u8 = 11;

/// Ends the log of a copy where it is damaged, so that sled finds all that was written before.
pub(crate) fn cut(path: &Path, file: &str, damaged_at: u64) -> io::Result<()> {
    let file = File::options().read(true).write(true).open(path.join(file))?;
    let log = Log { file };
    let segment = damaged_at - damaged_at % SEGMENT_BYTES;
    for (number, begun) in log.segments()?.0.range(segment..) {
        let from = damaged_at.saturating_sub(*number);
        let blank = vec![0; SEGMENT_LEN - usize::try_from(from).unwrap_or(SEGMENT_LEN)];
        log.file.write_all_at(&blank, begun.at + from)?;
    }
    log.file.sync_all()
}

/// Shows every intact message of a log, in the order in which they were written, behind damaged places
/// as well.
pub(super) fn each_intact_message(
    path: &Path,
    mut visit: impl FnMut(Message<'_>),
) -> io::Result<()> {
    let log = Log { file: File::open(path)? };
    let mut segments = BTreeMap::new();
    for at in (0..log.file.metadata()?.len()).step_by(SEGMENT_LEN) {
        let segment = log.segment(at)?;
        // Where the header is damaged, the messages say whose they are. Behind those of this life of
        // the segment stand some of an earlier one.
        let newest = intact(&segment, HEADER_BYTES).map(|message| message.number).max();
        segments.extend(newest.map(|number| (number, at)));
    }
    for (number, at) in segments {
        let segment = log.segment(at)?;
        intact(&segment, HEADER_BYTES).filter(|it| it.number == number).for_each(&mut visit);
    }
    Ok(())
}

/// The intact messages of a segment from a place on, with anything between them.
fn intact(segment: &[u8], from: usize) -> impl Iterator<Item = Message<'_>> {
    let mut place = from;
    std::iter::from_fn(move || {
        while place + MESSAGE_HEADER_MAX_BYTES <= segment.len() {
            let message = Message::read(&segment[place..]);
            place += message.as_ref().map_or(1, |message| message.bytes);
            if message.is_some() {
                return message;
            }
        }
        None
    })
}

/// Looks through the log of the database in a directory.
pub(crate) fn look(path: &Path, file: &str) -> io::Result<Looked> {
    let log = Log { file: File::open(path.join(file))? };
    let mut looked = Looked::default();
    let (segments, spoilt) = log.segments()?;
    if let Some(at) = spoilt {
        looked.doubt(format!("the header of the segment at byte {at} is damaged"));
    }
    let snapshot = match newest_snapshot(path)? {
        None => Snapshot::default(),
        Some(bytes) => Snapshot::parse(&bytes).unwrap_or_else(|| {
            looked.doubt("its snapshot is damaged".to_owned());
            Snapshot::default()
        }),
    };
    log.recover(snapshot, &segments, &mut looked)?;
    Ok(looked)
}

/// Where a message stands: before the place where sled would stop, or behind it.
#[derive(Clone, Copy)]
enum End {
    Before,
    Behind,
}

fn note_count(looked: &mut Looked, mark: Mark, end: End) {
    looked.store.get_or_insert(mark.store);
    let count = match end {
        End::Before => &mut looked.whole,
        End::Behind => &mut looked.behind,
    };
    *count = mark.commits.max(*count);
}

/// Where a page's parts are: log number and place in the file.
type Page = Vec<(u64, u64)>;

/// What a snapshot says.
#[derive(Debug, Default)]
struct Snapshot {
    /// Where recovery begins.
    stable: u64,
    pages: HashMap<u64, Page>,
}

struct Log {
    file: File,
}

/// A segment that has been begun.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// Where it lies in the file.
    at: u64,
    /// How far the log was stable then.
    stable: u64,
}

/// The segments by log number.
type Segments = BTreeMap<u64, Begun>;

/// Where the messages of a segment end.
enum Stop {
    /// The segment is full or was closed.
    Closed,
    /// There is no message of this segment at this place in it.
    At(usize),
}

impl Log {
    /// Lists the segments by log number, and returns the place of a header that is neither intact
    /// nor blank.
    fn segments(&self) -> io::Result<(Segments, Option<u64>)> {
        let length = self.file.metadata()?.len();
        let (mut segments, mut spoilt) = (BTreeMap::new(), None);
        let mut at = 0;
        while at < length {
            let mut header = [0; HEADER_BYTES];
            let read = read_at(&self.file, &mut header, at)?;
            let (crc, numbers) = header.split_at(4);
            if read == HEADER_BYTES && *crc == (!crc32fast::hash(numbers)).to_le_bytes() {
                let plain = |bytes| u64::from_le_bytes(first(bytes)) ^ (u64::MAX >> 1);
                let number = plain(numbers);
                // Minus one stands for nothing.
                let begun =
                    Begun { at, stable: plain(&numbers[8..]).cast_signed().max(0).cast_unsigned() };
                if !number.is_multiple_of(SEGMENT_BYTES) || segments.insert(number, begun).is_some()
                {
                    spoilt = Some(at);
                }
            } else if header.iter().chain(&self.segment(at)?).any(|byte| *byte != 0) {
                // A free segment is blank from its beginning to its end.
                spoilt = Some(at);
            }
            at += SEGMENT_BYTES;
        }
        Ok((segments, spoilt))
    }

    /// Goes the way of sled's recovery.
    fn recover(
        &self,
        snapshot: Snapshot,
        segments: &Segments,
        looked: &mut Looked,
    ) -> io::Result<()> {
        let Snapshot { stable, mut pages } = snapshot;
        let base = stable - stable % SEGMENT_BYTES;
        let missing = missing_in_tail(segments, stable);
        let mut batch = None;
        let new: Vec<_> = segments
            .range(base..missing.unwrap_or(u64::MAX))
            .map(|(number, begun)| (*number, begun.at))
            .collect();
        let mut end = stable;
        for (index, (number, at)) in new.iter().copied().enumerate() {
            let segment = self.segment(at)?;
            let stop = walk(&segment, number, |place, message| {
                let lsn = number + place as u64;
                end = lsn + message.bytes as u64;
                if lsn < stable {
                    return;
                }
                if message.kind == BATCH && message.body.len() == 8 {
                    batch = Some((lsn, u64::from_le_bytes(first(message.body))));
                }
                note(&mut pages, &message, lsn, at + place as u64);
            });
            match stop {
                Stop::Closed => {}
                Stop::At(place) if index + 1 < new.len() => {
                    looked.damaged_at.get_or_insert(number + place as u64);
                    looked.torn = true;
                    looked.doubt(format!("the log is damaged at byte {}", at + place as u64));
                }
                Stop::At(place) => {
                    end = end.max(number + place as u64);
                    looked.torn |= is_torn(&segment[place..], number);
                    look_behind(&segment, place, number, looked);
                }
            }
        }
        if let Some(number) = missing {
            looked.damaged_at.get_or_insert(number);
            looked.torn = true;
            looked.doubt(format!("the segment of its log at {number} is missing"));
        }
        if end < stable {
            looked.damaged_at.get_or_insert(end);
            looked.doubt("the log ends before its snapshot".to_owned());
        }
        // sled drops a batch whose last part is missing, with all that follows.
        let cut = batch.filter(|(_, last)| *last >= end).map_or(end, |(lsn, _)| lsn);
        // Nor does it go on behind a damaged place.
        let cut = looked.damaged_at.map_or(cut, |damaged_at| damaged_at.min(cut));
        self.count(segments, cut, looked)?;
        self.check_pages(&pages, looked)
    }

    /// Looks for the newest commits that sled would find.
    fn count(&self, segments: &Segments, cut: u64, looked: &mut Looked) -> io::Result<()> {
        for (number, begun) in segments.iter().rev() {
            let segment = self.segment(begun.at)?;
            walk(&segment, *number, |place, message| {
                let end = if number + (place as u64) < cut { End::Before } else { End::Behind };
                Mark::all_in(message.body).for_each(|mark| note_count(looked, mark, end));
            });
            if looked.whole > 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads every part of every page that is in force.
    fn check_pages(&self, pages: &HashMap<u64, Page>, looked: &mut Looked) -> io::Result<()> {
        if pages.keys().max().is_some_and(|last| *last + 1 != pages.len() as u64) {
            looked.doubt("a page is missing".to_owned());
        }
        let mut parts: Vec<_> =
            pages.iter().flat_map(|(pid, page)| page.iter().map(|part| (*part, *pid))).collect();
        parts.sort_unstable_by_key(|((_, at), _)| *at);
        let (mut loaded, mut segment) = (u64::MAX, Vec::new());
        for ((lsn, at), pid) in parts {
            let base = at - at % SEGMENT_BYTES;
            if base != loaded {
                (loaded, segment) = (base, self.segment(base)?);
            }
            let place = usize::try_from(at - base).unwrap_or(usize::MAX);
            let message = segment.get(place..).and_then(Message::read);
            let fits = message
                .is_some_and(|message| message.number == lsn / SEGMENT_BYTES && message.pid == pid);
            if !fits {
                looked.doubt(format!("a page is damaged at byte {at}"));
                return Ok(());
            }
        }
        Ok(())
    }

    fn segment(&self, at: u64) -> io::Result<Vec<u8>> {
        let mut segment = vec![0; SEGMENT_LEN];
        let read = read_at(&self.file, &mut segment, at)?;
        segment.truncate(read);
        Ok(segment)
    }
}

/// Shows the messages of a segment, as far as they are intact and its own.
fn walk(segment: &[u8], number: u64, mut visit: impl FnMut(usize, Message<'_>)) -> Stop {
    let mut place = HEADER_BYTES;
    while place + MESSAGE_HEADER_MAX_BYTES <= SEGMENT_LEN {
        let message = segment.get(place..).and_then(Message::read);
        let Some(message) = message.filter(|it| it.number == number / SEGMENT_BYTES) else {
            return Stop::At(place);
        };
        let bytes = message.bytes;
        let closes = message.kind == CAP;
        visit(place, message);
        if closes {
            return Stop::Closed;
        }
        place += bytes;
    }
    Stop::Closed
}

/// Looks for commits behind the place in the last segment where sled would stop.
///
/// sled may write the parts of one commit in any order, so some of the commit that was under way may
/// stand here in a sound log. What else is lost shows in the counts.
fn look_behind(segment: &[u8], stop: usize, number: u64, looked: &mut Looked) {
    for message in intact(segment, stop).filter(|it| it.number == number / SEGMENT_BYTES) {
        Mark::all_in(message.body).for_each(|mark| note_count(looked, mark, End::Behind));
        looked.damaged_at.get_or_insert(number + stop as u64);
        looked.torn = true;
    }
}

/// Finds the first segment that is missing where sled demands every one: from the one in which the
/// log was stable by the newest word that has been written, or in which the snapshot ends.
fn missing_in_tail(segments: &Segments, snapshot_end: u64) -> Option<u64> {
    let base = snapshot_end - snapshot_end % SEGMENT_BYTES;
    let stable = segments.range(base..).map(|(_, begun)| begun.stable).max();
    let stable = stable.map_or(snapshot_end, |stable| stable.max(base));
    let tail = stable - stable % SEGMENT_BYTES;
    let mut numbers = segments.range(tail..).map(|(number, _)| *number).peekable();
    if numbers.peek().is_none() {
        // A log that ends with a segment goes on in one that need not have been begun.
        return (stable > tail).then_some(tail);
    }
    numbers.zip((tail..).step_by(SEGMENT_LEN)).find(|(is, due)| is != due).map(|(_, due)| due)
}

/// Whether a message of this segment has been begun, or is damaged, at the end of a log. What is left
/// over from an earlier life of the segment is none.
fn is_torn(rest: &[u8], number: u64) -> bool {
    Header::read(rest).is_some_and(|header| header.number == number / SEGMENT_BYTES)
}

/// Does with a page what sled does when it recovers a message.
fn note(pages: &mut HashMap<u64, Page>, message: &Message<'_>, lsn: u64, at: u64) {
    if REPLACE.contains(&message.kind) || message.kind == FREE {
        pages.insert(message.pid, vec![(lsn, at)]);
    } else if LINK.contains(&message.kind)
        && let Some(page) = pages.get_mut(&message.pid)
    {
        page.push((lsn, at));
    }
}

/// What precedes a message's body, whether or not the message is intact.
struct Header {
    kind: u8,
    length: usize,
    number: u64,
    pid: u64,
    /// The size of the header.
    bytes: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (&kind, mut rest) = bytes.get(4..)?.split_first()?;
        if kind == 0 || kind > KIND_MAX {
            return None;
        }
        let length = usize::try_from(varint(&mut rest)?).ok()?;
        let (number, pid) = (varint(&mut rest)?, varint(&mut rest)?);
        Some(Self { kind, length, number, pid, bytes: bytes.len() - rest.len() })
    }
}

/// One message of a log.
pub(super) struct Message<'a> {
    pub(super) kind: u8,
    number: u64,
    pub(super) pid: u64,
    pub(super) body: &'a [u8],
    /// The size of all of it.
    bytes: usize,
}

impl<'a> Message<'a> {
    /// Reads the message at the beginning of some bytes, if one is there and intact.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let Header { kind, length, number, pid, bytes: header } = Header::read(bytes)?;
        let body = bytes.get(header..)?.get(..length)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(body);
        hasher.update(&bytes[4..header]);
        let fits = (!hasher.finalize()).to_le_bytes() == bytes[..4];
        fits.then_some(Self { kind, number, pid, body, bytes: header + length })
    }
}

impl Snapshot {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (mut rest, end) =
            bytes.split_at_checked(bytes.len().checked_sub(SNAPSHOT_END_BYTES)?)?;
        if crc32fast::hash(rest).to_le_bytes() != end[8..] {
            return None;
        }
        // Both numbers are one higher than they are, and zero stands for none.
        let stable = lsn(&mut rest)?.saturating_sub(1);
        varint(&mut rest)?;
        let mut pages = HashMap::new();
        for pid in 0.. {
            let Some((&parts, after)) = rest.split_first() else { break };
            rest = after;
            let mut page = Vec::new();
            if parts == 0 {
                page.push((lsn(&mut rest)?, pointer(&mut rest)?));
            }
            for _ in 0..parts {
                page.push((lsn(&mut rest)?, pointer(&mut rest)?));
                varint(&mut rest)?;
            }
            pages.insert(pid, page);
        }
        Some(Self { stable, pages })
    }
}

fn newest_snapshot(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut snapshots = entries(path)?;
    snapshots.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(SNAPSHOT))
    });
    // sled takes the last by name, even one that is still being written.
    let newest = snapshots.into_iter().max();
    if newest.as_ref().is_some_and(|path| path.to_string_lossy().ends_with(GENERATING)) {
        return Ok(Some(Vec::new()));
    }
    newest.map(fs::read).transpose()
}

fn lsn(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    u64::try_from(i64::from_le_bytes(*number)).ok()
}

/// A place in the file; a part in a file of its own also names that one.
fn pointer(rest: &mut &[u8]) -> Option<u64> {
    let (&own_file, after) = rest.split_first()?;
    *rest = after;
    let at = varint(rest)?;
    match own_file {
        0 => Some(at),
        1 => lsn(rest).map(|_| at),
        _ => None,
    }
}

/// Takes a number.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let (&head, after) = rest.split_first()?;
    let more = match head {
        0..=240 => 0,
        241..=248 => 1,
        249 => 2,
        _ => usize::from(head) - 247,
    };
    let (bytes, after) = after.split_at_checked(more)?;
    *rest = after;
    let byte = |index: usize| u64::from(bytes[index]);
    Some(match head {
        0..=240 => u64::from(head),
        241..=248 => 240 + 256 * (u64::from(head) - 241) + byte(0),
        249 => 2288 + 256 * byte(0) + byte(1),
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    })
}

/// The first eight bytes.
fn first(bytes: &[u8]) -> [u8; 8] {
    bytes.first_chunk().copied().unwrap_or_default()
}

/// Fills as much of a buffer as the file has.
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests;
